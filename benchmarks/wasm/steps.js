// Random games in the WebAssembly module, and the bytes of state and generator along the way: the same in Node
// and in a browser. steps.py has the same games played natively, and compares.
async ({ module, start, rng, parts, looks, steps }) => {
  const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  const { instance } = await WebAssembly.instantiate(bytes(module))
  const { memory, __heap_base, random_steps } = instance.exports
  const first = bytes(start)
  const begin = Math.ceil(__heap_base.value / 16) * 16
  const [state, again, generator, rows] = [begin, begin + 160, begin + 320, begin + 352]
  const all = new Uint8Array(memory.buffer)
  const set = () => {
    all.set(first, state)
    all.set(first, again)
    all.set(bytes(rng), generator)
  }
  set()
  random_steps(state, again, generator, rows, 20_000) // compiled by the engine's quicker compiler at first
  set()
  const seen = []
  let games = 0
  const seconds = []
  for (let part = 0; part < parts; part++) {
    const began = performance.now()
    for (let look = 0; look < looks; look++) {
      games += random_steps(state, again, generator, rows, steps)
      seen.push([all.slice(state, state + first.length), all.slice(generator, generator + 32)])
    }
    seconds.push((performance.now() - began) / 1000)
  }
  const hex = (byte) => byte.toString(16).padStart(2, '0')
  return { games, seconds, seen: seen.map(([one, other]) => [...one, ...other].map(hex).join('')) }
}
