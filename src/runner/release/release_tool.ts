/** The tool that the `release:` step calls: if the job's image has none, this one creates the release by the API. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { quoted } from '../executors/shell.ts'

/** The Node.js binary that runs the tool, where the user of the jobs can read it. */
export interface ReleaseTool {
  readonly node: string
  readonly program: string
}

/** The tool in this installation. */
export const installedReleaseTool: ReleaseTool = { node: process.execPath, program: join(import.meta.dirname, 'release_cli.ts') }

/** Writes the tool into a folder of its own, which is returned: it must come last in PATH. */
export async function installReleaseTool(temporary: string, { node, program }: ReleaseTool): Promise<string> {
  const folder = join(temporary, 'tools')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // As JavaScript: Node reads no TypeScript below a `node_modules`, where Ingot may be installed.
  const script = join(folder, 'release-cli.mjs')
  await writeFile(script, stripTypeScriptTypes(await readFile(program, 'utf8')), { mode: 0o600 })
  const lines = ['#!/bin/sh', `exec ${quoted(node)} ${quoted(script)} "$@"`, '']
  await writeFile(join(folder, 'release-cli'), lines.join('\n'), { mode: 0o700 })
  return folder
}
