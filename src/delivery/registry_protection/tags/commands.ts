/** Writes of the rules that protect tags of images. */
import { changesExcept } from '../../../platform/events/audit/changes.ts'
import { recordEvent } from '../../../platform/events/events.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { unprocessable } from '../../../platform/kernel/errors.ts'
import { compiledPattern } from '../../../platform/patterns/patterns.ts'
import { assertRoom, written } from '../commands.ts'
import { type GivenLevels, levelOf, presentLevels } from '../levels.ts'
import type { TagRuleRow } from './queries.ts'

/** What is given for a rule: all of a new one, or what is changed. */
export interface TagRuleAttributes extends GivenLevels {
  readonly tag_name_pattern?: string | undefined
}

const TABLE = 'container_tag_protection_rules'
const PATTERN = 'Tag name pattern'

/** The values of a rule. @throws Refusal 422 for what is no expression, and for one role without the other */
function valuesOf(given: TagRuleAttributes, former?: TagRuleRow) {
  const { minimum_access_level_for_push: push, minimum_access_level_for_delete: removal } = given
  const values = {
    tag_name_pattern: given.tag_name_pattern ?? former?.tag_name_pattern ?? '',
    minimum_access_level_for_push: push === undefined ? (former?.minimum_access_level_for_push ?? null) : levelOf(push),
    minimum_access_level_for_delete: removal === undefined ? (former?.minimum_access_level_for_delete ?? null) : levelOf(removal),
  }
  if (!compiledPattern(values.tag_name_pattern)) throw unprocessable([`${PATTERN} not valid RE2 syntax`])
  if ((values.minimum_access_level_for_push === null) !== (values.minimum_access_level_for_delete === null))
    throw unprocessable(['Access levels should either both be present or both be nil'])
  return values
}

/** Adds a rule for tags. */
export async function protectTags(ctx: Context, project: { readonly id: number }, given: TagRuleAttributes): Promise<TagRuleRow> {
  const { db, now } = ctx
  const values = valuesOf(given)
  await assertRoom(ctx, TABLE, project.id)
  const row = { project_id: project.id, ...values, created_at: now, updated_at: now }
  const made = await written(db.insertInto(TABLE).values(row).returningAll().executeTakeFirstOrThrow(), PATTERN)
  const payload = { id: made.id, name: made.tag_name_pattern }
  await recordEvent(ctx, { kind: 'container_tag_protection_rule.created', payload, projectId: project.id })
  return made
}

/** Changes a rule for tags. */
export async function changeTagRule(ctx: Context, rule: TagRuleRow, given: TagRuleAttributes): Promise<TagRuleRow> {
  const values = valuesOf(given, rule)
  const set = { ...values, updated_at: ctx.now }
  const update = ctx.db.updateTable(TABLE).set(set).where('id', '=', rule.id).returningAll().executeTakeFirstOrThrow()
  const changed = await written(update, PATTERN)
  const { tag_name_pattern } = values
  const changes = changesExcept({ ...rule, ...presentLevels(rule) }, { tag_name_pattern, ...presentLevels(changed) }, [])
  const payload = { id: rule.id, name: rule.tag_name_pattern, changes }
  await recordEvent(ctx, { kind: 'container_tag_protection_rule.updated', payload, projectId: rule.project_id })
  return changed
}

/** Removes a rule for tags. */
export async function removeTagRule(ctx: Context, rule: TagRuleRow): Promise<void> {
  await ctx.db.deleteFrom(TABLE).where('id', '=', rule.id).execute()
  const payload = { id: rule.id, name: rule.tag_name_pattern }
  await recordEvent(ctx, { kind: 'container_tag_protection_rule.deleted', payload, projectId: rule.project_id })
}
