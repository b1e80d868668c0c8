/** Writes of push rules. */
import { uniqueViolation } from '../../platform/db/errors.ts'
import { changesExcept } from '../../platform/events/audit/changes.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { type Failures, invalid, unprocessable } from '../../platform/kernel/errors.ts'
import { isRulePattern } from './patterns.ts'
import type { PushRuleRow, RuledPlace } from './queries.ts'

/** The patterns among the attributes. */
export const patternNames = [
  'commit_message_regex',
  'commit_message_negative_regex',
  'branch_name_regex',
  'author_email_regex',
  'file_name_regex',
] as const

export type PushRuleAttributes = {
  readonly [K in Exclude<keyof PushRuleRow, 'id' | 'created_at' | 'project_id' | 'namespace_id'>]?: PushRuleRow[K] | undefined
}

/** 400 for a text that is no pattern. */
function assertPatterns(given: PushRuleAttributes): void {
  const failures: Failures = {}
  for (const name of patternNames) {
    const source = given[name]
    if (source && !isRulePattern(source)) failures[name] = ['is no valid RE2 pattern, or is too large']
  }
  if (Object.keys(failures).length > 0) throw invalid(failures)
}

const ownerOf = (place: RuledPlace) => ('instance' in place ? {} : place)

const inEvent = (place: RuledPlace) =>
  'project_id' in place ? { projectId: place.project_id } : 'namespace_id' in place ? { namespaceId: place.namespace_id } : {}

const NAME = 'push rule'

/** Gives a place push rules; 422 where it has some. */
export async function createPushRule(ctx: Context, place: RuledPlace, given: PushRuleAttributes): Promise<PushRuleRow> {
  assertPatterns(given)
  const made = await ctx.db
    .insertInto('push_rules')
    .values({ ...ownerOf(place), ...given, created_at: ctx.now })
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch(error => {
      if (uniqueViolation(error) === undefined) throw error
      throw unprocessable('project_id' in place ? 'Project push rule exists' : 'Group push rule exists, try updating')
    })
  await recordEvent(ctx, { kind: 'push_rule.created', payload: { id: made.id, name: NAME }, ...inEvent(place) })
  return made
}

/** Changes push rules. */
export async function updatePushRule(
  ctx: Context,
  place: RuledPlace,
  rule: PushRuleRow,
  changes: PushRuleAttributes,
): Promise<PushRuleRow> {
  assertPatterns(changes)
  const payload = { id: rule.id, name: NAME, changes: changesExcept(rule, changes, []) }
  await recordEvent(ctx, { kind: 'push_rule.updated', payload, ...inEvent(place) })
  if (Object.values(changes).every(value => value === undefined)) return rule
  return ctx.db.updateTable('push_rules').set(changes).where('id', '=', rule.id).returningAll().executeTakeFirstOrThrow()
}

/** Takes push rules away. */
export async function removePushRule(ctx: Context, place: RuledPlace, { id }: PushRuleRow): Promise<void> {
  await ctx.db.deleteFrom('push_rules').where('id', '=', id).returning('id').executeTakeFirstOrThrow()
  await recordEvent(ctx, { kind: 'push_rule.deleted', payload: { id, name: NAME }, ...inEvent(place) })
}
