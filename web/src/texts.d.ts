declare module 'virtual:texts' {
  type Catalogue = Record<string, string | Record<string, string>>
  /** All texts of a language: the page's own, and those that it shares with the server. */
  export function load(language: string): Promise<{ page: Catalogue; told: Catalogue }>
  /** Why something is refused: what a server says, for tables that have none. */
  export function reasons(language: string): Promise<Catalogue>
}

declare module 'virtual:parts' {
  /** The large parts of the page, by name: where each lies, null where it is in the page, and how many bytes it has. */
  export const PARTS: Readonly<
    Record<'engine' | 'network' | 'open' | 'eyes' | 'puzzles', Readonly<{ address: string | null; size: number }>>
  >
}
