/** Rules of packages and images, and the policy that cleans images up. */

import { publishedTypes } from '../../../delivery/packages/types.ts'
import { MOST_RULES } from '../../../delivery/registry_protection/commands.ts'
import { nameOfLevel, type RuleLevels } from '../../../delivery/registry_protection/levels.ts'
import { packageRulesOf } from '../../../delivery/registry_protection/queries.ts'
import { tagRulesOf } from '../../../delivery/registry_protection/tags/queries.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { insertRows } from '../../../platform/db/statements/insert_rows.ts'
import { compiledPattern } from '../../../platform/patterns/patterns.ts'
import type { ProjectRow } from '../../../spaces/projects/queries.ts'
import { relationOf } from '../../archives/importing/import.ts'
import type { Row } from '../../archives/reading/row.ts'
import type { ProjectImport } from '../importing/state.ts'

/** `container_expiration_policy.ndjson`, without the next run: a project that is imported waits a whole cadence. */
export const exportedPolicy = ({ container_expiration_policy }: ProjectRow): object => {
  const { next_run_at: _next, ...policy } = container_expiration_policy as { readonly next_run_at?: unknown }
  return policy
}

/** `package_protection_rules.ndjson`. */
export async function* exportPackageRules(db: Db, projectId: number): AsyncGenerator<object> {
  yield* await packageRulesOf(db, projectId).execute()
}

/** `container_protection_rules.ndjson`: patterns stand below the path of the project, which may be another one where it is imported. */
export async function* exportImageRules(db: Db, projectId: number): AsyncGenerator<object> {
  yield* await db.selectFrom('container_protection_rules').selectAll().where('project_id', '=', projectId).orderBy('id').execute()
}

/** `container_tag_protection_rules.ndjson`. */
export async function* exportTagRules(db: Db, projectId: number): AsyncGenerator<object> {
  yield* await tagRulesOf(db, projectId).execute()
}

/** The levels of a rule; undefined for one that has none that are known. */
function levelsIn(row: Row): RuleLevels | undefined {
  const levelIn = (name: keyof RuleLevels) => row.maybeInteger(name, { max: 100 }) ?? null
  const levels = {
    minimum_access_level_for_push: levelIn('minimum_access_level_for_push'),
    minimum_access_level_for_delete: levelIn('minimum_access_level_for_delete'),
  }
  const given = Object.values(levels).filter(level => level !== null)
  return given.length > 0 && given.every(level => nameOfLevel(level) !== null) ? levels : undefined
}

/** Those of a rule for tags: both, or neither where the tags are immutable. */
function tagLevelsIn(row: Row): RuleLevels | undefined {
  const isImmutable = ['minimum_access_level_for_push', 'minimum_access_level_for_delete'].every(name => row.raw(name) === null)
  if (isImmutable) return { minimum_access_level_for_push: null, minimum_access_level_for_delete: null }
  const levels = levelsIn(row)
  return levels && levels.minimum_access_level_for_push !== null && levels.minimum_access_level_for_delete !== null ? levels : undefined
}

type Rules = 'package_protection_rules' | 'container_protection_rules' | 'container_tag_protection_rules'

/** The rules in a relation, each once. That some were left out is said: what they protect in the archive is not protected here. */
async function rulesIn<T extends object>(state: ProjectImport, relation: Rules, ruleIn: (row: Row) => T | undefined, levelsOf = levelsIn) {
  const rules = new Map<string, T & RuleLevels & { readonly project_id: number; readonly created_at: string }>()
  let left = 0
  for await (const row of relationOf(state, relation)) {
    const [named, levels] = [ruleIn(row), levelsOf(row)]
    const key = JSON.stringify(named)
    if (named && levels && (rules.has(key) || rules.size < MOST_RULES)) {
      const created_at = row.maybeInstant('created_at') ?? state.ctx.now.toISOString()
      rules.set(key, { ...named, ...levels, project_id: state.project.id, created_at })
    } else left++
  }
  if (left > 0) state.failures.push({ relation, source: `${left} rules`, message: `They are unknown here, or more than ${MOST_RULES}` })
  return [...rules.values()]
}

/** Reads `package_protection_rules.ndjson`, `container_protection_rules.ndjson` and `container_tag_protection_rules.ndjson`. */
export async function importRegistryRules(state: ProjectImport): Promise<void> {
  const packages = await rulesIn(state, 'package_protection_rules', row => {
    const package_type = publishedTypes.find(type => type === row.raw('package_type'))
    const package_name_pattern = row.text('package_name_pattern', 255)
    return package_type && package_name_pattern !== '' ? { package_type, package_name_pattern } : undefined
  })
  await insertRows(state.db, 'package_protection_rules', packages)
  const images = await rulesIn(state, 'container_protection_rules', row => {
    const name_pattern = row.text('name_pattern', 255).toLowerCase()
    return /^(?:$|[/*])/.test(name_pattern) ? { name_pattern } : undefined
  })
  await insertRows(state.db, 'container_protection_rules', images)
  const tagRule = (row: Row) => {
    const tag_name_pattern = row.text('tag_name_pattern', 100)
    return tag_name_pattern !== '' && compiledPattern(tag_name_pattern) ? { tag_name_pattern } : undefined
  }
  await insertRows(state.db, 'container_tag_protection_rules', await rulesIn(state, 'container_tag_protection_rules', tagRule, tagLevelsIn))
}
