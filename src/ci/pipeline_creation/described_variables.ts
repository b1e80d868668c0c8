/** What a pipeline that is run by hand asks for: the variables that the CI file of a branch or tag describes. */
import type { Context } from '../../platform/kernel/context.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { checkConfig, ciFileOf, type DescribedVariable, sourcesFor } from '../config/index.ts'
import { refNamed } from '../named_ref.ts'

/** The variables, or why there are none. */
export type Described =
  | { readonly kind: 'variables'; readonly variables: readonly DescribedVariable[] }
  | { readonly kind: 'invalid'; readonly errors: readonly string[] }
  | { readonly kind: 'no_file' }
  | { readonly kind: 'no_reference' }

/** Reads the CI file at a branch, or else a tag, of this name. The caller has checked that the actor may run pipelines. */
export async function describedVariables(ctx: Context, project: ProjectWithRole, ref: string): Promise<Described> {
  const found = ref === '' ? undefined : await refNamed(ctx, project, ref)
  if (!found) return { kind: 'no_reference' }
  const { sha } = found
  const file = await ciFileOf(ctx, project, sha)
  if (!file) return { kind: 'no_file' }
  const { errors, config } = await checkConfig(file.text, sourcesFor(ctx, project, sha))
  return config ? { kind: 'variables', variables: config.file.described } : { kind: 'invalid', errors }
}
