/** Who may do something to protected branches and tags, in words. */

/** An access level as the API answers it. */
export interface ShownLevel {
  readonly access_level_description: string
}

const names: Readonly<Record<number, string>> = { 0: 'No one', 30: 'Developers and maintainers', 40: 'Maintainers', 60: 'Administrators' }

/** The levels as choices, in this order. */
export const levelChoices = (levels: readonly number[]) => levels.map(level => [String(level), names[level] as string] as const)

/** The levels of a protection in a line. */
export const levelWords = (levels: readonly ShownLevel[]): string =>
  levels.length === 0 ? 'No one' : levels.map(({ access_level_description }) => access_level_description).join(', ')
