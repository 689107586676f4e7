// Records of what was not played: a game up to some token, and on from there.
/** Headers that tell of an end which is not reached. */
const OF_THE_END = ['Result', 'Termination', 'Resigned']

/** An unfinished record with these tokens, and with other values of some headers. `record`: as we write it. */
export function recordOf(
  record: string,
  tokens: readonly string[],
  changed: Readonly<Record<string, string>> = {},
): string {
  const headers = record.split('\n').filter((line) => {
    const name = /^\[(\w+) /.exec(line)?.[1]
    return name && !OF_THE_END.includes(name) && !(name in changed)
  })
  const others = Object.entries({ Result: '*', ...changed })
  const told = others.map(([name, value]) => `[${name} "${value.replace(/(["\\])/g, '\\$1')}"]`)
  return `${[...headers, ...told].join('\n')}\n\n${tokens.join(' ')}\n`
}
