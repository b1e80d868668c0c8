/** Writes of protection rules. */
import { uniqueViolation } from '../../platform/db/errors.ts'
import { changesExcept } from '../../platform/events/audit/changes.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { unprocessable } from '../../platform/kernel/errors.ts'
import type { PublishedType } from '../packages/types.ts'
import { patternOf } from './entity.ts'
import { type GivenLevels, levelOf, presentLevels, type RuleLevels } from './levels.ts'
import { type ImageRuleRow, imageRuleById, type PackageRuleRow } from './queries.ts'

/** Rules of a project: each publication looks at all of them. */
export const MOST_RULES = 100

/** A project whose rules are changed. */
interface Ruled {
  readonly id: number
  readonly full_path: string
}

/** What is given for a rule: all of a new one, or what is changed. */
export interface PackageRuleAttributes extends GivenLevels {
  readonly package_name_pattern?: string | undefined
  readonly package_type?: PublishedType | undefined
}

export interface ImageRuleAttributes extends GivenLevels {
  readonly repository_path_pattern?: string | undefined
}

/** The levels that are given. @throws Refusal 422 for a rule without any */
function levelsIn(given: GivenLevels, former?: RuleLevels): RuleLevels {
  const { minimum_access_level_for_push: push, minimum_access_level_for_delete: removal } = given
  const levels = {
    minimum_access_level_for_push: push === undefined ? (former?.minimum_access_level_for_push ?? null) : levelOf(push),
    minimum_access_level_for_delete: removal === undefined ? (former?.minimum_access_level_for_delete ?? null) : levelOf(removal),
  }
  if (levels.minimum_access_level_for_push === null && levels.minimum_access_level_for_delete === null)
    throw unprocessable(['A rule must have at least a minimum access role for push or delete.'])
  return levels
}

/** 422 for one too many. Of concurrent requests the later ones wait, and count the others. */
export async function assertRoom(
  { db }: Context,
  table: 'package_protection_rules' | 'container_protection_rules' | 'container_tag_protection_rules',
  projectId: number,
): Promise<void> {
  await db.selectFrom('projects').select('id').where('id', '=', projectId).forNoKeyUpdate().execute()
  const { count } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  if (Number(count) >= MOST_RULES) throw unprocessable([`Maximum number of protection rules (${MOST_RULES}) exceeded`])
}

/** @throws Refusal 422 where the project has a rule for that pattern */
export async function written<T>(work: Promise<T>, what: string): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (uniqueViolation(error) !== undefined) throw unprocessable([`${what} has already been taken`])
    throw error
  }
}

/** Adds a rule for packages. */
export async function protectPackages(
  ctx: Context,
  { id: project_id }: Ruled,
  given: PackageRuleAttributes & { readonly package_name_pattern: string; readonly package_type: PublishedType },
): Promise<PackageRuleRow> {
  const { db, now } = ctx
  const { package_name_pattern, package_type } = given
  const levels = levelsIn(given)
  await assertRoom(ctx, 'package_protection_rules', project_id)
  const values = { project_id, package_name_pattern, package_type, ...levels, created_at: now, updated_at: now }
  const made = await written(
    db.insertInto('package_protection_rules').values(values).returningAll().executeTakeFirstOrThrow(),
    'Package name pattern',
  )
  await recordEvent(ctx, { kind: 'package_protection_rule.created', payload: { id: made.id, name: nameOf(made) }, projectId: project_id })
  return made
}

/** Changes a rule for packages. */
export async function changePackageRule(ctx: Context, rule: PackageRuleRow, given: PackageRuleAttributes): Promise<PackageRuleRow> {
  const { package_name_pattern = rule.package_name_pattern, package_type = rule.package_type } = given
  const set = { package_name_pattern, package_type, ...levelsIn(given, rule) }
  const changed = await written(
    ctx.db
      .updateTable('package_protection_rules')
      .set({ ...set, updated_at: ctx.now })
      .where('id', '=', rule.id)
      .returningAll()
      .executeTakeFirstOrThrow(),
    'Package name pattern',
  )
  const changes = changesExcept({ ...rule, ...presentLevels(rule) }, { package_name_pattern, package_type, ...presentLevels(changed) }, [])
  const payload = { id: rule.id, name: nameOf(rule), changes }
  await recordEvent(ctx, { kind: 'package_protection_rule.updated', payload, projectId: rule.project_id })
  return changed
}

/** Removes a rule for packages. */
export async function removePackageRule(ctx: Context, rule: PackageRuleRow): Promise<void> {
  await ctx.db.deleteFrom('package_protection_rules').where('id', '=', rule.id).returning('id').executeTakeFirstOrThrow()
  const payload = { id: rule.id, name: nameOf(rule) }
  await recordEvent(ctx, { kind: 'package_protection_rule.deleted', payload, projectId: rule.project_id })
}

/** The name of a rule in the audit log. */
const nameOf = ({ package_type, package_name_pattern }: PackageRuleRow): string => `${package_type} ${package_name_pattern}`

/** The pattern after the path of the project. @throws Refusal 422 for one of images that the project cannot have */
function belowProject({ full_path }: Pick<Ruled, 'full_path'>, pattern: string): string {
  const [given, path] = [pattern.toLowerCase(), full_path.toLowerCase()]
  const rest = given.slice(path.length)
  if (!given.startsWith(path) || !/^(?:$|[/*])/.test(rest))
    throw unprocessable(["Repository path pattern should start with the project's full path"])
  return rest
}

/** Adds a rule for images. */
export async function protectImages(
  ctx: Context,
  project: Ruled,
  given: ImageRuleAttributes & { readonly repository_path_pattern: string },
): Promise<ImageRuleRow> {
  const { db, now } = ctx
  const levels = levelsIn(given)
  const name_pattern = belowProject(project, given.repository_path_pattern)
  await assertRoom(ctx, 'container_protection_rules', project.id)
  const values = { project_id: project.id, name_pattern, ...levels, created_at: now, updated_at: now }
  const { id } = await written(
    db.insertInto('container_protection_rules').values(values).returning('id').executeTakeFirstOrThrow(),
    'Repository path pattern',
  )
  const made = (await imageRuleById(db, project.id, id)) as ImageRuleRow
  await recordEvent(ctx, { kind: 'container_protection_rule.created', payload: { id, name: patternOf(made) }, projectId: project.id })
  return made
}

/** Changes a rule for images. */
export async function changeImageRule(ctx: Context, project: Ruled, rule: ImageRuleRow, given: ImageRuleAttributes): Promise<ImageRuleRow> {
  const { repository_path_pattern: pattern } = given
  const name_pattern = pattern === undefined ? rule.name_pattern : belowProject(project, pattern)
  await written(
    ctx.db
      .updateTable('container_protection_rules')
      .set({ name_pattern, ...levelsIn(given, rule), updated_at: ctx.now })
      .where('id', '=', rule.id)
      .execute(),
    'Repository path pattern',
  )
  const changed = (await imageRuleById(ctx.db, project.id, rule.id)) as ImageRuleRow
  const changes = changesExcept({ ...rule, ...presentLevels(rule) }, { name_pattern, ...presentLevels(changed) }, [])
  const payload = { id: rule.id, name: patternOf(rule), changes }
  await recordEvent(ctx, { kind: 'container_protection_rule.updated', payload, projectId: project.id })
  return changed
}

/** Removes a rule for images. */
export async function removeImageRule(ctx: Context, rule: ImageRuleRow): Promise<void> {
  await ctx.db.deleteFrom('container_protection_rules').where('id', '=', rule.id).returning('id').executeTakeFirstOrThrow()
  const payload = { id: rule.id, name: patternOf(rule) }
  await recordEvent(ctx, { kind: 'container_protection_rule.deleted', payload, projectId: rule.project_id })
}
