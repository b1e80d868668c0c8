/** The environment of `ingot runner`: what it takes for itself, and what it passes on. */

/** Variables of the runner's environment that the programs of a job may see. */
const INHERITED = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR']

/** Variables by which a container engine finds its settings and its service. */
const OF_ENGINE =
  /^(PATH|HOME|TMPDIR|XDG_\w+|DBUS_SESSION_BUS_ADDRESS|CONTAINERS_\w+|CONTAINER_HOST|DOCKER_\w+|(HTTPS?|NO)_PROXY|(https?|no)_proxy)$/

/** Folders that the `PATH` of an ordinary user may lack. */
const ADMINISTRATORS = ':/usr/local/sbin:/usr/sbin:/sbin'

/** What `ingot runner` takes from the environment. */
export interface RunnerEnvironment {
  readonly token: string | undefined
  /** What it passes on to jobs. */
  readonly inherited: Readonly<Record<string, string>>
  /** What a container engine gets of it, and no job. */
  readonly engine: Readonly<Record<string, string>>
}

/** Reads what `ingot runner` takes from the environment. */
export function runnerEnvironment(): RunnerEnvironment {
  // biome-ignore lint/style/noProcessEnv: what a runner takes of it stands here alone
  const environment = process.env
  const given = Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return {
    token: environment.INGOT_RUNNER_TOKEN || undefined,
    inherited: Object.fromEntries(given.filter(([name]) => INHERITED.includes(name))),
    // Networks are made by programs of administrators.
    engine: { ...Object.fromEntries(given.filter(([name]) => OF_ENGINE.test(name))), PATH: `${environment.PATH ?? ''}${ADMINISTRATORS}` },
  }
}
