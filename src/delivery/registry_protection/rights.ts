/** Who may publish and delete what rules protect. */
import { fitsName } from '../../code/protected_branches/branch_rights.ts'
import type { Actor } from '../../platform/access/actor.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { forbidden } from '../../platform/kernel/errors.ts'
import { projectsWithRoleById } from '../../spaces/projects/queries.ts'
import { normalizedName } from '../packages/protocols/pypi/names.ts'
import { type Level, type ProtectedAction, reaches, strictest } from './levels.ts'
import { type ImageRuleRow, imageRulesOf, type PackageRuleRow, packageRulesIn } from './queries.ts'

/** A package, by its name as it is shown and as its package manager compares it. */
export interface NamedPackage {
  readonly project_id: number
  readonly package_type: string
  readonly name: string
  readonly lookup_name: string
}

/** The pattern as the package manager of its type compares names. */
function lookupPattern({ package_type, package_name_pattern }: PackageRuleRow): string {
  if (package_type === 'pypi') return normalizedName(package_name_pattern)
  return package_type === 'nuget' || package_type === 'composer' ? package_name_pattern.toLowerCase() : package_name_pattern
}

/** Is the rule about the package, however its name is written? Pure. */
const isAbout = (rule: PackageRuleRow, { project_id, package_type, name, lookup_name }: NamedPackage): boolean =>
  rule.project_id === project_id &&
  rule.package_type === package_type &&
  (fitsName(rule.package_name_pattern, name) || fitsName(lookupPattern(rule), lookup_name))

/** @throws Refusal 403 where a rule of the project asks for more than the caller has */
export async function assertPackagesAllow(ctx: Context, action: ProtectedAction, packages: readonly NamedPackage[]): Promise<void> {
  const [first] = packages
  if (!first) return
  const rules = await packageRulesIn(ctx.db, [first.project_id])
  const level = strictest(
    rules.filter(rule => packages.some(one => isAbout(rule, one))),
    action,
  )
  // Contract: the message of the protected packages of later releases.
  if (level !== undefined && !(await hasLevel(ctx, first.project_id, level))) throw forbidden('Package protected.')
}

/** Has the project rules about who publishes packages of this type? */
export async function hasPushRules({ db }: Pick<Context, 'db'>, projectId: number, type: string): Promise<boolean> {
  const rules = await packageRulesIn(db, [projectId])
  return (
    strictest(
      rules.filter(({ package_type }) => package_type === type),
      'push',
    ) !== undefined
  )
}

/** Do these rules let an actor with this role delete the package? Pure. */
export function allowsDeletion(rules: readonly PackageRuleRow[], actor: Actor, role: number, one: NamedPackage): boolean {
  const level = strictest(
    rules.filter(rule => isAbout(rule, one)),
    'delete',
  )
  return level === undefined || reaches(actor, role, level)
}

async function hasLevel({ db, actor }: Pick<Context, 'db' | 'actor'>, projectId: number, level: Level): Promise<boolean> {
  const project = (await projectsWithRoleById(db, actor, [projectId])).get(projectId)
  return reaches(actor, project?.role ?? 0, level)
}

/** The level that rules ask for an image of a project, by its name below the path of the project. */
export const levelOfImage = (rules: readonly ImageRuleRow[], name: string, action: ProtectedAction): Level | undefined => {
  const below = name === '' ? '' : `/${name}`
  return strictest(
    rules.filter(rule => fitsName(rule.name_pattern, below)),
    action,
  )
}

/** Do the rules of the project let the actor do this with an image? */
export async function imageAllows(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  projectId: number,
  name: string,
  action: ProtectedAction,
): Promise<boolean> {
  const level = levelOfImage(await imageRulesOf(db, projectId).execute(), name, action)
  return level === undefined || hasLevel({ db, actor }, projectId, level)
}

/** @throws Refusal 403 where a rule of the project asks for more than the caller has */
export async function assertImageAllows(ctx: Context, projectId: number, name: string, action: ProtectedAction): Promise<void> {
  if (!(await imageAllows(ctx, projectId, name, action))) throw forbidden('Container repository protected.')
}
