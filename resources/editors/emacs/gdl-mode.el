;;; gdl-mode.el --- Rulesheets of General Game Playing  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "29.1"))

;;; Commentary:

;; Colours for GDL, and the language server `tengen gdl lsp' by Eglot.  Emacs 29 or later has Eglot.

;;; Code:

(require 'lisp-mode)

(defvar eglot-server-programs)
(declare-function eglot-ensure "eglot" ())

(defvar gdl-mode-keywords
  '(("(\\s-*\\(<=\\|not\\|or\\|and\\|distinct\\)\\_>" 1 font-lock-keyword-face)
    ("(\\s-*\\(role\\|init\\|true\\|does\\|next\\|legal\\|goal\\|base\\|input\\|sees\\)\\_>"
     1 font-lock-builtin-face)
    ("\\_<terminal\\_>" . font-lock-builtin-face)
    ("\\?[^][ \t\n();]+" . font-lock-variable-name-face)
    ("\\_<[0-9]+\\_>" . font-lock-constant-face))
  "What `gdl-mode' colours.")

;;;###autoload
(define-derived-mode gdl-mode lisp-data-mode "GDL"
  "Mode for rulesheets in the Game Description Language."
  (setq font-lock-defaults '(gdl-mode-keywords nil t)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.\\(kif\\|gdl\\)\\'" . gdl-mode))

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(gdl-mode . ("tengen" "gdl" "lsp"))))
(add-hook 'gdl-mode-hook #'eglot-ensure)

(provide 'gdl-mode)

;;; gdl-mode.el ends here
