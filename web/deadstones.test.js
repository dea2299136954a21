import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import test from 'node:test'
import deadstones from './deadstones.js'

// The board of the README of @sabaki/deadstones.
const board = [
  [0, 0, 1, 0, -1, -1, 1, 0, 0],
  [1, 0, 1, -1, -1, 1, 1, 1, 0],
  [0, 0, 1, -1, 0, 1, -1, -1, 0],
  [1, 1, 1, -1, -1, -1, 1, -1, 0],
  [1, -1, 1, 1, -1, 1, 1, 1, 0],
  [-1, -1, -1, -1, -1, 1, 0, 0, 0],
  [0, -1, -1, 0, -1, 1, 1, 1, 1],
  [0, 0, 0, 0, 0, -1, -1, -1, 1],
  [0, 0, 0, 0, 0, 0, 0, -1, 0],
]
const built = existsSync(new URL('./tengen_deadstones.wasm', import.meta.url))
const skip = built ? false : 'build it first: npm run build'
const has = (list, x, y) => list.some((v) => v[0] === x && v[1] === y)

test('prisoners are dead, living stones are not', { skip }, async () => {
  for (const finished of [false, true]) {
    const dead = await deadstones.guess(board, { finished, iterations: 200 })
    assert.ok(has(dead, 6, 2) && has(dead, 7, 2), JSON.stringify(dead))
    assert.ok(!has(dead, 0, 3) && !has(dead, 1, 5), JSON.stringify(dead))
  }
})

test('maps and boards have the size and the signs of the board', { skip }, async () => {
  const map = await deadstones.getProbabilityMap(board, 100)
  assert.equal(map.length, 9)
  assert.ok(map.flat().every((v) => v >= -1 && v <= 1))
  assert.ok(map[0][0] > 0.5 && map[8][0] < -0.5)
  const end = await deadstones.playTillEnd(board, 1)
  assert.ok(end.flat().every((v) => [-1, 0, 1].includes(v)))
  const floating = await deadstones.getFloatingStones(board)
  assert.ok(floating.every(([x, y]) => board[y][x] !== 0))
})

test('what is no board is told', { skip }, async () => {
  await assert.rejects(deadstones.guess([[0, 0]]), /not square/)
  await assert.rejects(deadstones.guess([]), /1 to 25 lines/)
  await assert.rejects(deadstones.guess([[7]]), /no stone 7/)
})
