/** Which projects and groups an agent's configuration grants access to: `ci_access` of `.gitlab/agents/<name>/config.yaml`. */
import { readYamlMap, UnreadableYaml } from '../../platform/yaml/read.ts'

/** Where the configuration of an agent is, in the default branch of its project. */
export const configPath = (name: string): string => `.gitlab/agents/${name}/config.yaml`

/** Full paths, in lower case. */
export interface CiAccess {
  readonly projects: readonly string[]
  readonly groups: readonly string[]
}

/** Maximum number of paths of one kind in a configuration. */
const MOST = 100

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function pathsIn(list: unknown): string[] {
  if (!Array.isArray(list)) return []
  const ids = list.slice(0, MOST).map(entry => (isRecord(entry) ? entry.id : undefined))
  return ids.filter(id => typeof id === 'string').map(id => id.toLowerCase())
}

/** The projects and groups that a configuration grants access to; none if the configuration cannot be read. */
export async function ciAccessIn(text: string): Promise<CiAccess> {
  try {
    const { ci_access: access } = await readYamlMap(text, { schema: 'core', aliases: 10, fields: ['ci_access'] })
    return isRecord(access) ? { projects: pathsIn(access.projects), groups: pathsIn(access.groups) } : { projects: [], groups: [] }
  } catch (error) {
    if (error instanceof UnreadableYaml) return { projects: [], groups: [] }
    throw error
  }
}

/** Does the configuration grant this project access, by its own path or by that of a group above it? */
export function letsIn({ projects, groups }: CiAccess, fullPath: string): boolean {
  const path = fullPath.toLowerCase()
  return projects.includes(path) || groups.some(group => path.startsWith(`${group}/`))
}
