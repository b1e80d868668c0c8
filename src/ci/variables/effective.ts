/** Which variables a job gets: those of the instance, of the groups above its project and of the project itself. */
import { sql } from 'kysely'
import { fitsName } from '../../code/protected_branches/branch_rights.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { compiled } from '../../platform/db/statements/compiled.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Secret } from '../../platform/secret.ts'
import { VALUE_PURPOSE } from './commands.ts'
import type { VariableRow } from './queries.ts'

/** The facts that a job's variables depend on. */
export interface JobFacts {
  readonly projectId: number
  /** The groups above the project, outermost first. */
  readonly groupIds: readonly number[]
  /** The name of the environment that the job deploys to, if it does. */
  readonly environment: string | undefined
  /** Is the branch or tag that it runs for protected? */
  readonly isProtected: boolean
}

/** A variable as a job gets it. */
export interface JobVariable extends Pick<VariableRow, 'key' | 'variable_type' | 'masked' | 'raw'> {
  readonly value: Secret
}

type Scoped = Pick<VariableRow, 'key' | 'environment_scope' | 'protected' | 'project_id' | 'namespace_id'>

/** How near to the job a variable is defined: the project is nearest, the instance is farthest. */
const nearness = ({ project_id, namespace_id }: Scoped, { groupIds }: JobFacts): number =>
  project_id !== null ? groupIds.length : namespace_id !== null ? groupIds.indexOf(namespace_id) : -1

/** How specific a scope is: the exact name of an environment, then patterns by their literal length. */
const closeness = ({ environment_scope: scope }: Scoped): number => (scope.includes('*') ? scope.replaceAll('*', '').length : 256)

/**
 * The effective one of several variables of one key: the nearest, and among equally near ones the one with the most specific
 * scope. Pure.
 */
export function effectiveAmong<V extends Scoped>(variables: readonly V[], job: JobFacts): V[] {
  const { environment, isProtected } = job
  const counted = variables.filter(
    variable =>
      (isProtected || !variable.protected) &&
      (variable.environment_scope === '*' || (environment !== undefined && fitsName(variable.environment_scope, environment))),
  )
  const weakestFirst = counted.sort((a, b) => nearness(a, job) - nearness(b, job) || closeness(a) - closeness(b))
  return [...new Map(weakestFirst.map(variable => [variable.key, variable])).values()]
}

const above = compiled((db, projectId: number, groupIds: readonly number[]) =>
  db
    .selectFrom('ci_variables')
    .selectAll()
    .where(sql<boolean>`(project_id = ${projectId} or namespace_id = ${anyOf(groupIds)} or (project_id is null and namespace_id is null))`)
    .orderBy('id'),
)

/** The variables of a job, decrypted. One statement. */
export async function variablesForJob({ db, deps }: Pick<Context, 'db' | 'deps'>, job: JobFacts): Promise<JobVariable[]> {
  const rows = await above(db, job.projectId, job.groupIds)
  return effectiveAmong(rows, job).map(({ key, value, variable_type, masked, raw }) => ({
    key,
    value: deps.secrets.decrypt(value, VALUE_PURPOSE),
    variable_type,
    masked,
    raw,
  }))
}
