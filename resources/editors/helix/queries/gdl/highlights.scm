; Goes into ~/.config/helix/runtime/queries/gdl/highlights.scm.
(comment) @comment
(number) @constant.numeric
["(" ")"] @punctuation.bracket

(list . (symbol) @function)

((symbol) @variable
 (#match? @variable "^\\?"))

((symbol) @keyword
 (#match? @keyword "^(<=|not|or|and|distinct)$"))

((symbol) @function.builtin
 (#match? @function.builtin "^(role|init|true|does|next|legal|goal|terminal|base|input|sees)$"))
