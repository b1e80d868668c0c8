/** The working copy of a job, fetched with the job's token. */

import type { Outcome } from './executors/shell.ts'
import type { Job, Variable } from './payload.ts'

export interface Fetching {
  readonly job: Job
  readonly variable: (key: string) => string | undefined
  /** Runs git in the working copy. */
  readonly git: (args: readonly string[]) => Promise<Outcome>
  readonly say: (line: string) => void
}

/** Looks up a variable, the last of a key. */
export const lookup =
  (variables: readonly Variable[]) =>
  (key: string): string | undefined =>
    variables.findLast(variable => variable.key === key)?.value

const succeeded = (outcome: Outcome): boolean => outcome.kind === 'exited' && outcome.code === 0

/** Fetches and checks out the commit of the job, as `GIT_STRATEGY` and related variables say; returns the first failed step. */
export async function getSources(fetching: Fetching): Promise<Outcome | undefined> {
  const { job, variable, git, say } = fetching
  const { repo_url, sha, refspecs, depth } = job.git_info
  const strategy = variable('GIT_STRATEGY') || 'clone'
  if (strategy === 'none' || strategy === 'empty') {
    say(`Nothing is fetched: GIT_STRATEGY is ${strategy}`)
    return undefined
  }
  if (!['clone', 'fetch'].includes(strategy)) {
    say(`GIT_STRATEGY must be clone, fetch, none or empty, not ${strategy}`)
    return { kind: 'exited', code: 1 }
  }
  const submodules = variable('GIT_SUBMODULE_STRATEGY') || 'none'
  if (!['none', 'normal', 'recursive'].includes(submodules)) {
    say(`GIT_SUBMODULE_STRATEGY must be none, normal or recursive, not ${submodules}`)
    return { kind: 'exited', code: 1 }
  }
  say(depth ? `Fetching changes with git depth set to ${depth}...` : 'Fetching changes...')
  const extra = words(variable('GIT_FETCH_EXTRA_FLAGS')) ?? ['--prune', '--quiet']
  const shallow = depth ? ['--depth', String(depth)] : []
  const { address, credentials } = withoutCredentials(repo_url)
  const steps: string[][] = [
    ['init', '--quiet'],
    ['remote', 'add', 'origin', address],
    ...credentials.map(([key, value]) => ['config', key, value]),
    ['fetch', 'origin', ...shallow, ...extra, ...(refspecs ?? [])],
  ]
  // A value that is no boolean is ignored.
  if (/^(0|f|F|false|False|FALSE)$/.test(variable('GIT_CHECKOUT') ?? '')) say('Nothing is checked out: GIT_CHECKOUT is false')
  else {
    say(`Checking out ${sha.slice(0, 8)}...`)
    steps.push(['checkout', '--force', '--quiet', '--detach', sha], ...submoduleSteps(fetching))
  }
  // Given to each command too, since submodules do not read the configuration of the repository around them.
  const given = credentials.flatMap(([key, value]) => ['-c', `${key}=${value}`])
  return inOrder(
    steps.map(step => [...given, ...step]),
    git,
  )
}

/**
 * The address of a repository without the job's token, and the configuration by which git takes the token from the environment. Arguments
 * of a program can be read by every user of the machine; its environment cannot.
 */
function withoutCredentials(repoUrl: string): {
  readonly address: string
  readonly credentials: readonly (readonly [key: string, value: string])[]
} {
  const url = new URL(repoUrl)
  if (url.password === '') return { address: repoUrl, credentials: [] }
  const username = decodeURIComponent(url.username)
  url.username = ''
  url.password = ''
  const helper = `!f() { test "$1" = get && echo username=${username} && echo "password=$CI_JOB_TOKEN"; }; f`
  return { address: url.href, credentials: [[`credential.${url.origin}.helper`, helper]] }
}

/** The requested submodules. */
function submoduleSteps({ variable, say, job }: Fetching): string[][] {
  const strategy = variable('GIT_SUBMODULE_STRATEGY') || 'none'
  if (strategy === 'none') return []
  const recursive = strategy === 'recursive' ? ['--recursive'] : []
  say(`Updating submodules${recursive.length > 0 ? ' recursively' : ''}...`)
  const paths = words(variable('GIT_SUBMODULE_PATHS')) ?? []
  const depth = job.git_info.depth ? ['--depth', String(job.git_info.depth)] : []
  const which = paths.length > 0 ? ['--', ...paths] : []
  return [
    ['submodule', 'sync', '--quiet', ...recursive, ...which],
    ['submodule', 'update', '--init', ...depth, ...recursive, ...which],
  ]
}

async function inOrder(steps: readonly (readonly string[])[], git: Fetching['git']): Promise<Outcome | undefined> {
  for (const step of steps) {
    const outcome = await git(step)
    if (!succeeded(outcome)) return outcome
  }
  return undefined
}

/** A variable split into words; undefined if it is not set. */
const words = (text: string | undefined): string[] | undefined => text?.split(/\s+/).filter(word => word !== '')
