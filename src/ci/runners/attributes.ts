/** The attributes of a runner that registration and updates accept. */
import Type from 'typebox'
import { CommaList, flag, Nullable, OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { type Failures, invalid } from '../../platform/kernel/errors.ts'

export const accessLevels = ['not_protected', 'ref_protected'] as const

/** Minimum timeout of a runner, in seconds. */
const SHORTEST_TIMEOUT = 600

/** Maximum tags of a runner. */
const MOST_TAGS = 50

/** Parameters of registration and update. */
export const attributes = {
  description: optional(text('Description of the runner', { maxLength: 1024 })),
  active: optional(flag('May it be given jobs?')),
  // Newer than 14.0: the opposite of `active`.
  paused: optional(flag('The opposite of `active`')),
  locked: optional(flag('May no further project have it?')),
  run_untagged: optional(flag('Does it run jobs without tags?')),
  tag_list: Type.Optional(CommaList(Type.String({ maxLength: 255 }), { description: 'It runs jobs whose tags are all among these' })),
  access_level: Type.Optional(OneOf(accessLevels, { description: '`ref_protected`: it runs jobs of protected branches and tags alone' })),
  maximum_timeout: Type.Optional(Nullable(Type.Integer({ maximum: 2_147_483_647 }), { description: 'Of its jobs, in seconds' })),
}

/** The values of `attributes`. */
export interface RunnerAttributes {
  readonly description?: string | undefined
  readonly active?: boolean | undefined
  readonly paused?: boolean | undefined
  readonly locked?: boolean | undefined
  readonly run_untagged?: boolean | undefined
  readonly tag_list?: readonly string[] | undefined
  readonly access_level?: (typeof accessLevels)[number] | undefined
  readonly maximum_timeout?: number | null | undefined
}

/** The columns that these attributes set. */
export function columnsOf({
  description,
  active,
  paused,
  locked,
  run_untagged,
  tag_list,
  access_level,
  maximum_timeout,
}: RunnerAttributes) {
  const isActive = active ?? (paused === undefined ? undefined : !paused)
  return {
    ...(description !== undefined && { description }),
    ...(isActive !== undefined && { active: isActive }),
    ...(locked !== undefined && { locked }),
    ...(run_untagged !== undefined && { run_untagged }),
    ...(tag_list !== undefined && { tags: [...new Set(tag_list)] }),
    ...(access_level !== undefined && { access_level }),
    // Contract: 0 means none (the ecosystem's runner leaves it out then; the API's clients send it).
    ...(maximum_timeout !== undefined && { maximum_timeout: maximum_timeout === 0 ? null : maximum_timeout }),
  }
}

/** 400 for a runner that could run no job, or whose limits are invalid. */
export function assertUsable(runner: {
  readonly run_untagged: boolean
  readonly tags: readonly string[]
  readonly maximum_timeout: number | null
}): void {
  const failures: Failures = {}
  if (!runner.run_untagged && runner.tags.length === 0)
    failures.tags_list = ['can not be empty when runner is not allowed to pick untagged jobs']
  if (runner.tags.length > MOST_TAGS) failures.tags_list = [`too many tags (maximum is ${MOST_TAGS})`]
  if (runner.maximum_timeout !== null && runner.maximum_timeout < SHORTEST_TIMEOUT)
    failures.maximum_timeout = ['needs to be at least 10 minutes']
  if (Object.keys(failures).length > 0) throw invalid(failures)
}
