/** The environment of a job's programs. */
import { mkdir, writeFile } from 'node:fs/promises'
import { isAbsolute, join, normalize, relative } from 'node:path'
import { expand, lookUp, strongest } from '../../platform/expansion/expand.ts'
import { version } from '../../platform/system/version.ts'
import type { Job, Variable } from '../payload.ts'

/** Maximum characters of a value in an environment; the system accepts no longer ones. */
const LONGEST = 120_000

/** The directories of a job. */
export interface Place {
  /** For this job alone: it contains everything that the job creates. */
  readonly directory: string
  /** In `root`: where working copies may lie (`CI_BUILDS_DIR`). */
  readonly builds: string
  /** The working copy. */
  readonly project: string
  /** Files of variables and scripts. */
  readonly temporary: string
  /** The slot of the job among the concurrent ones. */
  readonly slot: number
}

/** The variables of a job with those of the runner, expanded, each key once. */
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

/** A job wants its working copy outside of the builds directory. */
export class OutsideBuilds extends Error {}

/** The directories of a job, with the working copy at its `GIT_CLONE_PATH`. @throws OutsideBuilds */
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

/** Writes the files of file variables, and returns the environment of programs: the variables over the runner's environment. */
export async function environmentOf(
  variables: readonly Variable[],
  { directory, temporary }: Place,
  inherited: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const environment: Record<string, string> = { ...inherited }
  await mkdir(temporary, { recursive: true, mode: 0o700 })
  if (environment.HOME === undefined) {
    // A user without a home directory: a job must not find files there that another one has left.
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

/** Variables of a job that git may have where programs of the job may not run: they say where to and how it connects, and name no program. */
const OF_GIT = /^(CI_.*|(https?|no|all|ftp)_proxy|GIT_SSL_NO_VERIFY|GIT_LFS_SKIP_SMUDGE|GIT_TERMINAL_PROMPT|LANG|LC_.*|TZ)$/i

/**
 * The environment of git on the machine itself, for a job whose programs run in a container: by other variables of a job (`GIT_CONFIG_KEY_0`,
 * `GIT_SSH_COMMAND`, `LD_PRELOAD`, `PATH` …) git would run programs of the job here.
 * @param environment that of the job's programs
 * @param home a folder in which the job has no configuration of git
 */
export const environmentOfGit = (
  environment: Readonly<Record<string, string>>,
  inherited: Readonly<Record<string, string>>,
  home: string,
): Record<string, string> => ({
  PATH: inherited.PATH ?? '/usr/local/bin:/usr/bin:/bin',
  HOME: home,
  ...Object.fromEntries(Object.entries(environment).filter(([key]) => OF_GIT.test(key))),
})
