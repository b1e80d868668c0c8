/** What `conaninfo.txt` says of how a package was built. Pure. */

/** Bytes of the file that are kept: real ones have some hundred, or a few thousand where they name very many recipes. */
export const MOST_INFO = 16 * 1024

/** What clients of both generations read of a package: the newer ones its text, the older ones the parts of it. */
export interface BuildInfo {
  readonly content: string
  readonly settings: Readonly<Record<string, string>>
  readonly options: Readonly<Record<string, string>>
  /** The recipes that it needs. */
  readonly requires: Readonly<Record<string, null>>
  /** Only what older clients have uploaded has one, and newer clients leave out what has one. */
  readonly recipe_hash?: string
}

/** The lines of each section: `[settings]` and what follows it. */
function sectionsOf(content: string): Map<string, string[]> {
  const sections = new Map<string, string[]>()
  let lines: string[] = []
  for (const line of content.split('\n').map(each => each.trim())) {
    const name = /^\[([A-Za-z_]+)\]$/.exec(line)?.[1]
    if (name !== undefined) {
      lines = []
      sections.set(name, lines)
    } else if (line !== '') lines.push(line)
  }
  return sections
}

const pair = (line: string): [string, string] => {
  const at = line.indexOf('=')
  return at < 0 ? [line, ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()]
}

/** What the text of a `conaninfo.txt` says. */
export function buildInfoOf(content: string): BuildInfo {
  const sections = sectionsOf(content)
  const lines = (name: string) => sections.get(name) ?? []
  const [recipe_hash] = lines('recipe_hash')
  return {
    settings: Object.fromEntries(lines('settings').map(pair)),
    options: Object.fromEntries(lines('options').map(pair)),
    requires: Object.fromEntries(lines('requires').map(line => [line, null])),
    ...(recipe_hash !== undefined && { recipe_hash }),
    content,
  }
}
