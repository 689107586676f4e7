declare module 'virtual:texts' {
  type Catalogue = Record<string, string | Record<string, string>>
  /** All texts of a language: the page's own, and those that it shares with the server. */
  export function load(language: string): Promise<{ page: Catalogue; told: Catalogue }>
}
