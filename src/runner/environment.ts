/** What the programs of a job find in their environment. */
import { mkdir, writeFile } from 'node:fs/promises'
import { isAbsolute, join, normalize, relative } from 'node:path'
import { expand, lookUp, strongest } from '../platform/expansion/expand.ts'
import { version } from '../platform/system/version.ts'
import type { Job, Variable } from './payload.ts'

/** Characters of a value that an environment can hold; the system takes no longer ones. */
const LONGEST = 120_000

/** Where a job happens. */
export interface Place {
  /** Of this job alone: all that it makes lies in it. */
  readonly directory: string
  /** In there: where working copies may lie (`CI_BUILDS_DIR`). */
  readonly builds: string
  /** The working copy. */
  readonly project: string
  /** Files of variables and scripts. */
  readonly temporary: string
  /** Which of the jobs that run at once it is. */
  readonly slot: number
}

/** The variables of a job with what the runner itself knows, expanded, each key once. */
export function variablesOf(job: Job, place: Place): Variable[] {
  const own = Object.entries({
    CI: 'true',
    CI_SERVER: 'yes',
    CI_BUILDS_DIR: place.builds,
    CI_PROJECT_DIR: place.project,
    CI_CONCURRENT_ID: String(place.slot),
    CI_CONCURRENT_PROJECT_ID: String(place.slot),
    CI_RUNNER_VERSION: version,
    CI_RUNNER_REVISION: version,
    CI_RUNNER_EXECUTABLE_ARCH: `${process.platform}/${process.arch}`,
    CI_SHARED_ENVIRONMENT: 'true',
  }).map(([key, value]) => ({ key, value, raw: true }))
  const all: Variable[] = strongest([...(job.variables ?? []), ...own])
  const known = lookUp(all)
  return all.map(variable => (variable.raw ? variable : { ...variable, value: expand(variable.value, known) }))
}

/** A job wants its working copy where it may not be. */
export class OutsideBuilds extends Error {}

/** The place of a job, with the working copy where its `GIT_CLONE_PATH` says. @throws OutsideBuilds */
export function checkoutDirectory(job: Job, place: Place): Place {
  const path = variablesOf(job, place).find(({ key }) => key === 'GIT_CLONE_PATH')?.value
  if (!path) return place
  const project = normalize(path)
  if (!isAbsolute(path) || /^\.\.(\/|$)/.test(relative(place.builds, project)))
    throw new OutsideBuilds(`the GIT_CLONE_PATH="${path}" has to be within "${place.builds}"`)
  return { ...place, project }
}

/** The values that a log must not show. */
export const secretsOf = (job: Job): string[] => [
  job.token,
  ...(job.dependencies ?? []).map(({ token }) => token),
  ...(job.variables ?? []).filter(({ masked }) => masked).map(({ value }) => value),
]

/** Writes the files of file variables, and returns what programs are to find: variables over what the runner was started with. */
export async function environmentOf(
  variables: readonly Variable[],
  { directory, temporary }: Place,
  inherited: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const environment: Record<string, string> = { ...inherited }
  await mkdir(temporary, { recursive: true, mode: 0o700 })
  if (environment.HOME === undefined) {
    // A user who has no home: what one job leaves in its own must not be found by another.
    environment.HOME = join(directory, 'home')
    await mkdir(environment.HOME, { mode: 0o700 })
  }
  for (const { key, value, file } of variables) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(key)) continue
    if (file) {
      const path = join(temporary, key)
      await writeFile(path, value, { mode: 0o600 })
      environment[key] = path
    } else {
      environment[key] = value.replaceAll('\0', '').slice(0, LONGEST)
    }
  }
  return environment
}
