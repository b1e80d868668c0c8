/** The built-in runner: what keeps its jobs apart, and what runs those that name an image. Tried as the user of this command. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../../platform/config.ts'
import { runnerEnvironment } from '../../platform/runner_environment.ts'
import { findEngine, findNamespaces, whyNamespacesFail } from '../../runner/index.ts'
import { type Finding, type Found, looked, ok, warning, wrong } from './finding.ts'

type Wanted = Config['runnerNamespaces']

/** Nothing where no runner is wanted. @param environment for tests */
export async function checkRunner(
  { builtinRunner, runnerNamespaces, runnerContainers }: Config,
  environment: Pick<ReturnType<typeof runnerEnvironment>, 'inherited' | 'engine'> = runnerEnvironment(),
): Promise<Finding[]> {
  if (!builtinRunner) return []
  const folder = await mkdtemp(join(tmpdir(), 'ingot-doctor-'))
  try {
    return await Promise.all([
      looked('Namespaces', 'Set INGOT_RUNNER_NAMESPACES=off', () => namespaces(runnerNamespaces, folder, environment.inherited.PATH ?? '')),
      looked('Containers', 'Set INGOT_RUNNER_CONTAINERS=off', () => containers(runnerContainers, folder, environment.engine)),
    ])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function namespaces(wanted: Wanted, folder: string, path: string): Promise<Found> {
  if (wanted === 'off')
    return warning('off: jobs see the machine, and each other', 'Set INGOT_RUNNER_NAMESPACES=auto, unless you trust all who push')
  const found = await findNamespaces({ path, hidden: [], shown: [] })
  const whyNot = found ? await whyNamespacesFail(found, folder) : 'bubblewrap is not installed'
  if (whyNot === undefined) return ok('bubblewrap keeps jobs apart')
  return wanted === 'require'
    ? wrong(`there is no runner: ${whyNot}`, 'Install bubblewrap and let it make namespaces, or set INGOT_RUNNER_NAMESPACES=auto')
    : warning(
        `jobs see the machine, and each other: ${whyNot}`,
        'Install bubblewrap and let it make namespaces, unless you trust all who push',
      )
}

async function containers(wanted: Wanted, folder: string, environment: Readonly<Record<string, string>>): Promise<Found> {
  if (wanted === 'off') return ok('off: jobs that name an image run without it')
  // The folder is not that of a runner: nothing of one that works is removed.
  const found = await findEngine({ environment, folder, mayShareNetwork: false })
  if ('engine' in found) return ok(`${found.engine.kind} runs jobs that name an image`)
  return wanted === 'require'
    ? wrong(`there is no runner: ${found.whyNot}`, 'Install podman, or set INGOT_RUNNER_CONTAINERS=auto')
    : warning(`jobs that name an image run without it: ${found.whyNot}`, 'Install podman, or set INGOT_RUNNER_CONTAINERS=off')
}
