/** The steps that a runner runs, in order, built from the CI file. Pure. */
import type { JobOptions } from '../../config/index.ts'

/** Commands that run in one shell. */
export interface Step {
  /** Runners treat `script` and `after_script` specially; any other name is a further step. */
  readonly name: string
  readonly script: readonly string[]
  /** In seconds. */
  readonly timeout: number
  readonly when: 'on_success' | 'on_failure' | 'always'
  readonly allow_failure: boolean
}

/** The steps of a job: its script, the creation of a release, and `after_script`. */
export function stepsOf(options: JobOptions, timeout: number): Step[] {
  const { before_script = [], script = [], after_script = [], release } = options
  const steps: Step[] = [{ name: 'script', script: [...before_script, ...script], timeout, when: 'on_success', allow_failure: false }]
  if (release) steps.push({ name: 'release', script: [releaseCommand(release)], timeout, when: 'on_success', allow_failure: false })
  if (after_script.length > 0) steps.push({ name: 'after_script', script: after_script, timeout, when: 'always', allow_failure: true })
  return steps
}

/** Keywords of `release:` by the flags of the release command-line tool. */
const flags = ['name', 'description', 'tag_name', 'ref', 'released_at'] as const

/** Quotes a text for a shell: variables are expanded, and nothing ends the quotes. */
const quoted = (text: unknown): string => `"${String(text).replace(/["\\`]/g, '\\$&')}"`

/** The command that creates a release, for the tool in release images (public documentation of `release`). */
export function releaseCommand(release: Readonly<Record<string, unknown>>): string {
  const single = flags.flatMap(name => (release[name] === undefined ? [] : [`--${name.replace('_', '-')} ${quoted(release[name])}`]))
  const milestones = [release.milestones ?? []].flat().map(title => `--milestone ${quoted(title)}`)
  const { links = [] } = (release.assets ?? {}) as { readonly links?: readonly unknown[] }
  const assets = links.map(link => `--assets-link ${quoted(JSON.stringify(link))}`)
  return ['release-cli create', ...single, ...milestones, ...assets].join(' ')
}
