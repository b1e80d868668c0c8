/** Programs that npm packages bring which are no programs of npm: what runs them, or why they cannot be run. */
import { existsSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import type { Workbench } from '../workbench.ts'

const modules = join(import.meta.dirname, '../../../.cache/npm_clients/node_modules')

/** A program, and the arguments that come before its own. */
export type Packed = { readonly skip: false; readonly program: string; readonly before: readonly string[] } | { readonly skip: string }

/** The client of NuGet, which runs on mono. */
export async function nuget(workbench: Workbench): Promise<Packed> {
  const file = join(modules, 'nuget-exe/nuget-5.8.0.exe')
  if (!existsSync(file)) return { skip: 'nuget is not installed: npm run clients:install' }
  if (!(await workbench.has('mono', [file, 'help']))) return { skip: 'nuget needs mono, with all of its libraries' }
  return { skip: false, program: 'mono', before: [file] }
}

/** helm, out of the archive that brings it. */
export async function helm(workbench: Workbench): Promise<Packed> {
  const archive = join(modules, '@aws-cdk/asset-kubectl-v20/lib/layer.zip')
  if (!existsSync(archive)) return { skip: 'helm is not installed: npm run clients:install' }
  if (!(await workbench.has('python3', ['--version']))) return { skip: 'helm is unpacked by python3' }
  await workbench.run('python3', ['-c', 'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extract("helm/helm")', archive])
  const program = join(workbench.directory, 'helm/helm')
  await chmod(program, 0o755)
  return { skip: false, program, before: [] }
}
