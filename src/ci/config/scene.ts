/** For tests of this folder: plans without git and database. */
import { includedTemplate } from '../../code/templates/catalogues.ts'
import { Secret } from '../../platform/secret.ts'
import type { Plan, PlannedJob, PlanResult, PlanSubject, Sources } from './plan.ts'
import { planFrom } from './plan_from.ts'

/** The subject of a push to `main` of `group/project`, with these facts about the commit. */
export interface Given extends Partial<Omit<PlanSubject, 'variables' | 'changedPaths' | 'files' | 'hasCluster'>> {
  readonly variables?: Readonly<Record<string, string>>
  readonly changed?: readonly string[]
  readonly files?: Readonly<Record<string, string>>
  readonly hasCluster?: boolean
  /** By `group/project:file@ref`. */
  readonly projects?: Readonly<Record<string, string>>
  /** By address. */
  readonly remotes?: Readonly<Record<string, string>>
}

export const sourcesOf = ({ files = {}, projects = {}, remotes = {} }: Given = {}): Sources => ({
  local: async ({ meant }) => files[meant.reveal()],
  files: async () => Object.keys(files),
  project: async ({ project, file, ref, asPublic }) =>
    projects[`${asPublic ? 'public:' : ''}${project.meant.reveal()}:${file.meant.reveal()}@${ref?.meant.reveal() ?? 'HEAD'}`],
  remote: async ({ meant }) => remotes[meant.reveal()],
  template: ({ meant }) => includedTemplate(meant.reveal()),
})

export const subjectOf = ({ variables = {}, changed, files = {}, hasCluster = false, ...rest }: Given = {}): PlanSubject => ({
  source: 'push',
  ref: 'main',
  ref_type: 'branch',
  project_path: 'group/project',
  ...rest,
  variables: Object.entries(variables).map(([key, value]) => ({ key, value: new Secret(value) })),
  changedPaths: async () => changed,
  files: async () => Object.keys(files),
  hasCluster: async () => hasCluster,
})

export const resultOf = (text: string, given: Given = {}): Promise<PlanResult> => planFrom(text, subjectOf(given), sourcesOf(given))

/** The plan of a valid file with at least one job. */
export async function planOf(text: string, given: Given = {}): Promise<Plan> {
  const result = await resultOf(text, given)
  if (result.kind !== 'plan') throw new Error(JSON.stringify(result))
  return result.plan
}

/** The one job of that name. */
export async function jobOf(text: string, name: string, given: Given = {}): Promise<PlannedJob> {
  const { jobs } = await planOf(text, given)
  const job = jobs.find(one => one.name === name)
  if (!job) throw new Error(`no job ${name} among ${jobs.map(one => one.name).join(', ')}`)
  return job
}

/** Names of the planned jobs; none if there would be no pipeline. */
export async function namesOf(text: string, given: Given = {}): Promise<string[]> {
  const result = await resultOf(text, given)
  if (result.kind === 'invalid') throw new Error(JSON.stringify(result))
  return result.kind === 'plan' ? result.plan.jobs.map(({ name }) => name) : []
}

export async function errorsOf(text: string, given: Given = {}): Promise<readonly string[]> {
  const result = await resultOf(text, given)
  return result.kind === 'invalid' ? result.errors : []
}
