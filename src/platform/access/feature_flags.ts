/**
 * The feature flags that this server asks about, and what their gates mean. Other flags can be set and read back
 * (features API), and change nothing.
 */
import { createHash } from 'node:crypto'
import type { Db } from '../db/connection.ts'

/** A flag: what it stands for, and whether it is on as long as nobody has set it. */
interface Definition {
  readonly says: string
  readonly standard: boolean
}

export const flags = {
  // Document 1, Authentication rule 4.
  ci_job_token_scope: {
    says: 'A job token opens the project of its job, and of the others those that this project lists',
    standard: false,
  },
  // Document 3 "Groups"; decision 49.
  similarity_search: { says: 'Projects of a group can be ordered by `similarity`', standard: false },
  // Public documentation of `artifacts:public` at 14.0.
  non_public_artifacts: { says: '`artifacts: public: false` keeps what a job leaves for Developers and above', standard: true },
  // Decision 31.
  group_level_protected_environments: { says: 'Groups can protect environments', standard: false },
} as const satisfies Record<string, Definition>

export type Flag = keyof typeof flags

/** One way in which a flag can be on. Gates that are closed are left out, save `boolean`, which is always there. */
export type Gate =
  | { readonly key: 'boolean'; readonly value: boolean }
  | { readonly key: 'percentage_of_time' | 'percentage_of_actors'; readonly value: number }
  /** `User:1`, `Group:2`, `Project:3`. */
  | { readonly key: 'actors'; readonly value: readonly string[] }
  /** Names of feature groups. */
  | { readonly key: 'groups'; readonly value: readonly string[] }

/** Whom the question is about. A flag may be on for some of them only. */
export interface FlagSubject {
  readonly user?: { readonly id: number } | undefined
  readonly group?: { readonly id: number } | undefined
  readonly project?: { readonly id: number } | undefined
}

/** The name of an actor in the gates. */
export const actorName = (kind: 'User' | 'Group' | 'Project', { id }: { readonly id: number }): string => `${kind}:${id}`

/** Is the flag on, for any of those asked about? */
export async function featureEnabled(db: Db, flag: Flag, asked: FlagSubject = {}): Promise<boolean> {
  const stored = await db.selectFrom('feature_flags').select('gates').where('name', '=', flag).executeTakeFirst()
  if (!stored) return flags[flag].standard
  return opens(stored.gates as unknown as readonly Gate[], flag, asked)
}

/** Does one of the gates let through? `chance` is a number from 0 up to 1, for the share of the time. */
export function opens(gates: readonly Gate[], flag: string, { user, group, project }: FlagSubject, chance = Math.random()): boolean {
  const actors = [
    ...(user ? [actorName('User', user)] : []),
    ...(group ? [actorName('Group', group)] : []),
    ...(project ? [actorName('Project', project)] : []),
  ]
  return gates.some(gate => isOpen(gate, flag, actors, chance))
}

function isOpen(gate: Gate, flag: string, actors: readonly string[], chance: number): boolean {
  switch (gate.key) {
    case 'boolean':
      return gate.value
    case 'percentage_of_time':
      return chance * 100 < gate.value
    case 'percentage_of_actors':
      return actors.some(actor => percentile(flag + actor) < gate.value)
    case 'actors':
      return actors.some(actor => gate.value.includes(actor))
    // A feature group is a set of people that the server's code defines, and it defines none.
    case 'groups':
      return false
  }
}

/** Where an actor stands among all, 0 to 99: always the same for the same flag, so that a share keeps its members. */
const percentile = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE(0) % 100
