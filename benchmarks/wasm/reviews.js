// The analyst in the WebAssembly module judges the turns that it is given, one after another: the same in Node and in a
// browser. reviews.py has the same turns judged natively, and compares.
async ({ start, turns, samples, budget }) => {
  const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
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
    globalThis.held = { call, mind, view: room(start.view), turn: room(48), other: room(48), rng: room(32), told: room(1024), start }
  }
  const { call, mind, view, turn, other, rng, told, start: { at, marks } } = globalThis.held
  const all = new Uint8Array(call.memory.buffer)
  // Of the processor, where that is told: the machine may have other work.
  const used = globalThis.process?.cpuUsage
  const clock = used ? () => (used().user + used().system) / 1000 : () => performance.now()
  const put = (address, actions) => new Int16Array(call.memory.buffer, address, 24).fill(-1).set(actions)
  const judged = []
  for (const each of turns) {
    all.set(bytes(each.view), view)
    put(turn, each.actions)
    all.set(bytes(each.rng), rng)
    let began = clock()
    call.begin_judgement(mind, view, turn, samples, budget, rng)
    let slices = 1
    let longest = 0
    for (let last = began, more = 1; more; slices++) {
      more = call.advance_analysis(mind)
      const now = clock()
      longest = Math.max(longest, now - last)
      last = now
    }
    const ms = clock() - began
    call.judgement(mind, told)
    const data = new DataView(call.memory.buffer, told)
    const read = (name) => data.getInt32(at[name], true)
    const [mark, better, simulations] = [read('mark'), read('better'), read('simulations')]
    const rival = [...new Int16Array(call.memory.buffer, told + at.rival, 24)].filter((action) => action >= 0)
    let why = 0
    if (each.explain && !marks.includes(mark)) {
      put(turn, better ? rival : each.actions)
      put(other, each.actions)
      all.set(bytes(each.why), rng)
      began = clock()
      call.begin_explanation(mind, view, turn, other, rng)
      while (call.advance_analysis(mind));
      why = clock() - began
    }
    judged.push({ mark, rival, simulations, ms, why, longest, slices })
  }
  return judged
}
