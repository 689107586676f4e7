// Opponents in the WebAssembly module decide in the positions that they are given: the same in Node and in a browser.
// minds.py has the same decisions made natively, and compares.
async ({ start, level, simulations, views, rngs, logits }) => {
  const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  const text = (array) => {
    let all = ''
    for (let at = 0; at < array.length; at += 8192) all += String.fromCharCode(...array.subarray(at, at + 8192))
    return btoa(all)
  }
  if (start) {
    const { instance } = await WebAssembly.instantiate(bytes(start.module))
    const call = instance.exports
    let free = call.__heap_base.value
    const room = (size) => {
      const at = Math.ceil(free / 16) * 16
      free = at + size
      const missing = free - call.memory.buffer.byteLength
      if (missing > 0) call.memory.grow(Math.ceil(missing / 65536))
      return at
    }
    const brought = (array) => {
      const at = room(array.length)
      new Uint8Array(call.memory.buffer).set(array, at)
      return at
    }
    const mind = room(start.mind)
    const halves = bytes(start.halves)
    const starts = brought(new Uint8Array(Int32Array.from(start.starts).buffer))
    if (!call.set_network(mind, brought(halves), halves.length / 2, starts, start.version)) throw Error('no network')
    const [view, rng, actions] = [room(start.view), room(32), room(256)]
    globalThis.held = { call, mind, view, rng, actions, level: room(start.level), size: start.view, at: start.logits }
  }
  const { call, mind, view, rng, actions, size, at, level: which } = globalThis.held
  const [given, states, chances] = [bytes(level), bytes(views), bytes(rngs)]
  const all = new Uint8Array(call.memory.buffer)
  const [answers, said] = [[], []]
  all.set(given, which)
  const began = performance.now()
  for (let position = 0; position * 32 < chances.length; position++) {
    all.set(states.subarray(size * position, size * (position + 1)), view)
    all.set(chances.subarray(32 * position, 32 * (position + 1)), rng)
    call.begin_decision(mind, view, which, -1, simulations, rng)
    while (call.advance(mind, view, which, 0, rng));
    const count = call.decision(mind, actions)
    chances.set(all.subarray(rng, rng + 32), 32 * position)
    answers.push([...new Int16Array(call.memory.buffer, actions, count)])
    if (logits) said.push(all.slice(mind + at, mind + at + 4 * logits))
  }
  const ms = performance.now() - began
  return { answers, rngs: text(chances), ms, logits: said.map(text) }
}
