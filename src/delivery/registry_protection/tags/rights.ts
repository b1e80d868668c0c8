/** Who may push and delete the tags that rules protect. */
import type { Actor } from '../../../platform/access/actor.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { forbidden } from '../../../platform/kernel/errors.ts'
import { compiledPattern, isFoundIn } from '../../../platform/patterns/patterns.ts'
import { projectsWithRoleById } from '../../../spaces/projects/queries.ts'
import { type ProtectedAction, reaches, strictest } from '../levels.ts'
import { type TagRuleRow, tagRulesOf } from './queries.ts'

/** A rule that asks for no role: what has such a tag keeps it. */
export const isImmutable = ({ minimum_access_level_for_push: push, minimum_access_level_for_delete: removal }: TagRuleRow): boolean =>
  push === null && removal === null

/** The rules of a project as they hold for one caller. */
export class TagRights {
  readonly #rules: readonly TagRuleRow[]
  readonly #actor: Actor
  readonly #role: number

  constructor(rules: readonly TagRuleRow[], actor: Actor, role: number) {
    this.#rules = rules
    this.#actor = actor
    this.#role = role
  }

  /** Does a rule keep what has the tag? */
  isImmutable(name: string): boolean {
    return this.#about(name).some(isImmutable)
  }

  /** May the caller do this with the tag? Whether there is one already is not looked at. */
  allows(name: string, action: ProtectedAction): boolean {
    const rules = this.#about(name)
    if (action === 'delete' && rules.some(isImmutable)) return false
    const level = strictest(rules, action)
    return level === undefined || reaches(this.#actor, this.#role, level)
  }

  /** Is any rule about the tag? Policies keep such tags. */
  isProtected(name: string): boolean {
    return this.#about(name).length > 0
  }

  /** Expressions are found anywhere in a name, unless they say its ends; one that is none by now protects all tags. */
  #about(name: string): TagRuleRow[] {
    return this.#rules.filter(({ tag_name_pattern }) => {
      const pattern = compiledPattern(tag_name_pattern)
      return !pattern || isFoundIn(pattern, name)
    })
  }
}

/** The rules for tags of a project as they hold for the caller. */
export async function tagRights({ db, actor }: Pick<Context, 'db' | 'actor'>, projectId: number): Promise<TagRights> {
  const rules = await tagRulesOf(db, projectId).execute()
  const role = rules.length === 0 ? 0 : ((await projectsWithRoleById(db, actor, [projectId])).get(projectId)?.role ?? 0)
  return new TagRights(rules, actor, role)
}

/** 403 for what a rule for tags forbids. */
export const tagProtected = () => forbidden('Container registry tag protected.')

/** @throws Refusal 403 where the caller may not delete one of these tags */
export async function assertTagsDeletable(ctx: Context, projectId: number, names: readonly string[]): Promise<void> {
  const rights = await tagRights(ctx, projectId)
  if (names.some(name => !rights.allows(name, 'delete'))) throw tagProtected()
}

/**
 * Asks before tags name a manifest, and answers those of them that are immutable: they may be made, and not moved.
 * @throws Refusal 403 where the caller may not push one of them
 */
export async function assertTagsPushable(ctx: Context, projectId: number, names: readonly string[]): Promise<ReadonlySet<string>> {
  const rights = await tagRights(ctx, projectId)
  if (names.some(name => !rights.allows(name, 'push'))) throw tagProtected()
  return new Set(names.filter(name => rights.isImmutable(name)))
}
