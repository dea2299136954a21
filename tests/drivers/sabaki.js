// Drives the engine named on the command line over GTP by @sabaki/gtp, Sabaki's own client, and checks what it answers.
// Ends with `ok` and status 0; a failed check is an error and status 1.
const assert = require('assert')
const { Controller, ControllerStateTracker } = require('@sabaki/gtp')

async function main([path, ...args]) {
  const controller = new Controller(path, args)
  const failures = []
  controller.on('response-received', ({ command, response }) => {
    if (response.error) failures.push(`${command.name} ${command.args}: ${response.content}`)
  })
  const tracker = new ControllerStateTracker(controller)
  controller.start()
  const ask = async (name, ...args) => (await controller.sendCommand({ name, args })).content
  assert.strictEqual(await ask('protocol_version'), '2')
  assert.ok((await ask('name')).length > 0 && (await ask('version')).length > 0)
  for (const name of ['genmove', 'kata-analyze', 'kata-genmove_analyze', 'set_free_handicap', 'undo', 'loadsgf']) {
    assert.ok(await tracker.knowsCommand(name), name)
  }
  // A position of a game, then another of it, then one with handicap stones.
  const move = (color, vertex) => ({ name: 'play', args: [color, vertex] })
  const history = [move('B', 'E5'), move('W', 'C3'), move('B', 'G3')]
  await tracker.sync({ komi: 6.5, boardsize: [9, 9], history })
  await tracker.sync({ komi: 6.5, boardsize: [9, 9], history: history.slice(0, 1).concat([move('W', 'D3')]) })
  assert.ok((await ask('list_stones', 'white')).includes('D3'))
  await tracker.sync({ komi: 0.5, boardsize: [9, 9], history: [{ name: 'set_free_handicap', args: ['C3', 'G7'] }, move('W', 'E5')] })
  assert.match(await tracker.queueCommand({ name: 'genmove', args: ['B'] }).then(r => r.content), /^([A-J][1-9]|pass|resign)$/i)
  // An analysis goes on until the next command.
  let told = 0
  const analysis = controller.sendCommand({ name: 'kata-analyze', args: ['W', '10'] }, ({ line }) => {
    if (/^info move \S+ visits \d+ .*winrate \S+ .*pv \S+/.test(line)) told += 1
  })
  while (told < 2) await new Promise(resolve => setTimeout(resolve, 20))
  await controller.sendCommand({ name: 'protocol_version' })
  await analysis
  let played = null
  await controller.sendCommand({ name: 'kata-genmove_analyze', args: ['W', '10'] }, ({ line }) => {
    const match = line.trim().match(/^play\s+(\S+)/)
    if (match) played = match[1]
  })
  assert.match(played, /^([A-J][1-9]|pass|resign)$/i)
  assert.deepStrictEqual(failures, [])
  // A board that is not square is refused, and the engine goes on.
  await assert.rejects(tracker.sync({ komi: 6.5, boardsize: [9, 13], history: [] }))
  assert.strictEqual(await ask('protocol_version'), '2')
  await controller.stop(10000)
  assert.strictEqual(controller.process, null)
}

main(process.argv.slice(2)).then(
  () => console.log('ok'),
  error => {
    console.error(error)
    process.exit(1)
  }
)
