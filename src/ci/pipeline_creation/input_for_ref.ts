/** The input for a pipeline that a user requests by the name of a branch or tag. */

import { resolveCommits } from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import { findRepository } from '../../spaces/projects/repository/store.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { given, type WrittenVariable } from '../run_variables/given.ts'
import type { PipelineInput } from './create.ts'

/** The name of a reference, and further input. */
export interface RefAndVariables {
  readonly ref: string
  readonly variables?: readonly WrittenVariable[] | undefined
}

/**
 * The input for a pipeline of the branch, or else of the tag, of this short or full name.
 * @throws Refusal 400 where there is none
 */
export async function pipelineInputFor(
  { deps, actor }: Context,
  project: ProjectWithRole,
  { ref, variables = [] }: RefAndVariables,
): Promise<PipelineInput> {
  const names = /^refs\/(heads|tags)\//.test(ref) ? [ref] : [`refs/heads/${ref}`, `refs/tags/${ref}`]
  const repository = await findRepository(deps.storages, project)
  const tips = repository ? await resolveCommits(repository, names) : []
  const at = tips.findIndex(tip => tip !== undefined)
  const [name, sha] = [names[at], tips[at]]
  if (name === undefined || sha === undefined) throw invalid({ base: ['Reference not found'] })
  // A person at a form, or a program.
  const source = actor.credential?.kind === 'session' ? 'web' : 'api'
  return { source, ref: name, sha, variables: variables.map(given) }
}
