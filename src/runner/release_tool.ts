/** The tool that the step of `release:` calls: where a job's own tools have none, this one makes the release by the API. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { quoted } from './shell.ts'

/** Puts the tool into a folder of its own, which is returned: to be looked in after all others. */
export async function installReleaseTool(temporary: string): Promise<string> {
  const folder = join(temporary, 'tools')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const program = join(import.meta.dirname, 'release_cli.ts')
  const lines = ['#!/bin/sh', `exec ${quoted(process.execPath)} --disable-warning=ExperimentalWarning ${quoted(program)} "$@"`, '']
  await writeFile(join(folder, 'release-cli'), lines.join('\n'), { mode: 0o700 })
  return folder
}
