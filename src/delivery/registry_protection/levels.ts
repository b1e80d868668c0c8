/** The roles that rules ask for. */
import { ADMINISTRATORS } from '../../code/protected_branches/branch_rights.ts'
import { roles } from '../../platform/access/abilities.ts'
import { type Actor, isAdmin } from '../../platform/access/actor.ts'
import { Nullable, OneOf, optional } from '../../platform/kernel/declaration/types.ts'

export const levelNames = ['maintainer', 'owner', 'admin'] as const
export type LevelName = (typeof levelNames)[number]

const levels = { maintainer: roles.maintainer, owner: roles.owner, admin: ADMINISTRATORS } as const
/** A role, or that of administrators. */
export type Level = number

export const levelOf = (name: LevelName | null): Level | null => (name === null ? null : levels[name])

/** The name of a level of a rule. */
export const nameOfLevel = (level: Level | null): LevelName | null => levelNames.find(name => levels[name] === level) ?? null

const shown = (what: string) =>
  Nullable(OneOf(levelNames, { description: `Lowest role that may ${what}; null for what holds without a rule` }))

/** The levels of a rule of these things, as the API shows and takes them. */
export const levelFields = (things: string) => ({
  minimum_access_level_for_push: shown(`publish such ${things}`),
  minimum_access_level_for_delete: shown(`delete such ${things}`),
})

export const levelParams = (things: string) => {
  const { minimum_access_level_for_push, minimum_access_level_for_delete } = levelFields(things)
  return {
    minimum_access_level_for_push: optional(minimum_access_level_for_push),
    minimum_access_level_for_delete: optional(minimum_access_level_for_delete),
  }
}

/** Levels as they are given. */
export interface GivenLevels {
  readonly minimum_access_level_for_push?: LevelName | null | undefined
  readonly minimum_access_level_for_delete?: LevelName | null | undefined
}

/** What a rule has of levels. */
export interface RuleLevels {
  readonly minimum_access_level_for_push: Level | null
  readonly minimum_access_level_for_delete: Level | null
}

export const presentLevels = (row: RuleLevels) => ({
  minimum_access_level_for_push: nameOfLevel(row.minimum_access_level_for_push),
  minimum_access_level_for_delete: nameOfLevel(row.minimum_access_level_for_delete),
})

/** What rules are about. */
export type ProtectedAction = 'push' | 'delete'

/** The level that these rules ask for: that of the strictest one; undefined where none asks. */
export function strictest(rules: readonly RuleLevels[], action: ProtectedAction): Level | undefined {
  const asked = rules.flatMap(rule => rule[`minimum_access_level_for_${action}`] ?? [])
  return asked.length === 0 ? undefined : Math.max(...asked)
}

/** Has the actor that level, by their role in the project? Deploy tokens have none: they are no members. Pure. */
export function reaches(actor: Actor, role: number, level: Level): boolean {
  if (actor.credential?.kind === 'deploy_token') return false
  return isAdmin(actor) || (level !== ADMINISTRATORS && role >= level)
}
