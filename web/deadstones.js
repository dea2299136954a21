// Dead stones of a Go board: the interface of @sabaki/deadstones on Tengen's engine. See README.md.

let where = new URL('./tengen_deadstones.wasm', import.meta.url)
let loaded = null

/** Takes the WebAssembly from this address instead of the one beside this file. */
export function useFetch(path) {
  where = new URL(path, typeof location === 'undefined' ? import.meta.url : location.href)
  loaded = null
}

async function engine() {
  loaded ??= (async () => {
    let bytes
    if (where.protocol === 'file:') {
      const { readFile } = await import('node:fs/promises')
      bytes = await readFile(where)
    } else {
      const answer = await fetch(where)
      if (!answer.ok) throw new Error(`can't load ${where}: ${answer.status}`)
      bytes = await answer.arrayBuffer()
    }
    const { instance } = await WebAssembly.instantiate(bytes, {})
    return instance.exports
  })()
  return loaded
}

/** Sets the board up. Throws where it is none. */
function setUp(wasm, data) {
  const size = data.length
  if (!data.every((row) => row.length === size)) throw new RangeError('the board is not square')
  if (!wasm.begin(size)) throw new RangeError(`a board has 1 to 25 lines, not ${size}`)
  data.forEach((row, y) =>
    row.forEach((sign, x) => {
      if (sign !== 0 && !wasm.put(y * size + x, sign)) throw new RangeError(`no stone ${sign} can stand at [${x}, ${y}]`)
    }),
  )
  return size
}

const seed = () => (Math.random() * 2 ** 32) >>> 0

function vertices(wasm, size) {
  const found = []
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) if (wasm.value(y * size + x) === 1) found.push([x, y])
  }
  return found
}

function rows(wasm, size) {
  return Array.from({ length: size }, (_, y) => Array.from({ length: size }, (_, x) => wasm.value(y * size + x)))
}

/** The vertices of dead stones. */
export async function guess(data, { finished = false, iterations = 100 } = {}) {
  const wasm = await engine()
  const size = setUp(wasm, data)
  wasm.guess(finished ? 1 : 0, iterations, seed())
  return vertices(wasm, size)
}

/** How likely each vertex becomes whose: -1 White's, 1 Black's. */
export async function getProbabilityMap(data, iterations) {
  const wasm = await engine()
  const size = setUp(wasm, data)
  wasm.probability_map(iterations, seed())
  return rows(wasm, size)
}

/** The board after one playout, the player of this sign moving first. */
export async function playTillEnd(data, sign) {
  const wasm = await engine()
  const size = setUp(wasm, data)
  wasm.play_till_end(sign, seed())
  return rows(wasm, size)
}

/** The vertices of stones inside territory that the other colour has for certain. */
export async function getFloatingStones(data) {
  const wasm = await engine()
  const size = setUp(wasm, data)
  wasm.floating_stones()
  return vertices(wasm, size)
}

export default { useFetch, guess, getProbabilityMap, playTillEnd, getFloatingStones }
