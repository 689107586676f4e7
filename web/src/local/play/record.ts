// The game record as text: headers, then a line a turn. As `rules/notation.py` writes it.
import type { Options } from './rules'
import { usualDeal } from './options'

/** Required headers, unusual options, free ones, then the tokens. */
export function writeRecord(
  options: Options,
  result: string,
  headers: readonly (readonly [string, string])[],
  tokens: readonly string[],
): string {
  const lines = [
    header('Players', String(options.players)),
    header('Variant', options.variant),
    header('Rob', options.rob),
    header('Hands', options.hands),
    header('Result', result),
    ...(options.rulebook ? [header('Rulebook', options.rulebook)] : []),
    ...(options.spare === 'stack' ? [] : [header('Spare', options.spare)]),
    ...(usualDeal(options) ? [] : [header('Deal', options.deal.join('-'))]),
    ...headers.map(([name, value]) => header(name, value)),
    '',
    ...linesOf(options.players, tokens),
  ]
  return `${lines.join('\n')}\n`
}

function header(name: string, value: string): string {
  return `[${name} "${value.replace(/(["\\])/g, '\\$1')}"]`
}

/** Tokens in lines: a round of placements, the deal, then every turn with its draw. */
function linesOf(players: number, tokens: readonly string[]): string[] {
  const lines: string[][] = [[]]
  let placed = 0
  let drawn = 0
  for (const token of tokens) {
    const placement = token.startsWith('@')
    const chance = token.startsWith('=')
    lines.at(-1)!.push(token)
    placed += Number(placement)
    drawn += Number(chance)
    if ((placement && placed % players === 0) || (chance && drawn >= players)) lines.push([])
  }
  return lines.filter((line) => line.length).map((line) => line.join(' '))
}
