/** What a chart says of itself: `Chart.yaml` in its archive (Helm's documentation, "Charts"). */
import type { Readable } from 'node:stream'
import { readYamlMap, UnreadableYaml } from '../../../../platform/yaml/read.ts'
import { fileOfTar, UnfitArchive, type WantedFile } from '../../archived.ts'
import { isKeepable, unfitPackage } from '../shared/published.ts'
import { parseVersion } from '../shared/semver.ts'

/** The metadata of a chart, with whatever else its file says. */
export interface Chart {
  readonly name: string
  readonly version: string
  readonly [field: string]: unknown
}

/** Bytes of `Chart.yaml`. */
const MOST_READ = 256 * 1024

/** Bytes of what is kept of it, as JSON. Large ones have a few thousand; an index has those of hundreds of charts. */
export const MOST_KEPT = 32 * 1024

/** Characters of the name of a field as it is written: readers of YAML take keys of 1024 without a mark before them. */
const MOST_NAME = 1_000

/** In the folder of the chart: charts that it brings along have theirs deeper. */
const chartFile: WantedFile = {
  compression: 'gzip',
  isWanted: name => /^(\.\/)?[^/]+\/Chart\.yaml$/.test(name),
  size: MOST_READ,
  within: 100 * 1024 * 1024,
}

const NAME = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,200}$/

/** The metadata of the chart in an archive. @throws Refusal 400 for what is no chart */
export async function readChart(archive: Readable): Promise<Chart> {
  const chart = await parsed(await chartYaml(archive))
  if (!isKeepable(chart, MOST_KEPT)) throw unfitPackage(`Chart.yaml cannot be kept, or says more than ${MOST_KEPT} bytes`)
  if (hasLongNames(chart)) throw unfitPackage('Chart.yaml has too long names of fields')
  const { apiVersion, name, version } = chart
  if (apiVersion !== 'v1' && apiVersion !== 'v2') throw unfitPackage('apiVersion of Chart.yaml is invalid')
  if (typeof name !== 'string' || !NAME.test(name)) throw unfitPackage('Name is invalid')
  if (typeof version !== 'string' || version.length > 50 || !parseVersion(version)) throw unfitPackage('Version is invalid')
  return { ...chart, name, version }
}

/** A value as JSON that all readers of YAML take: what they have no character for, or take for the end of a line, is written by its number. */
export const yamlOf = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Whether a field of it, or of what is in it, has a name that not all readers of YAML take. */
export const hasLongNames = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).some(([name, inner]) => yamlOf(name).length > MOST_NAME || hasLongNames(inner))

async function chartYaml(archive: Readable): Promise<string> {
  try {
    const file = await fileOfTar(archive, chartFile)
    if (!file) throw unfitPackage('Chart.yaml was not found within a package')
    return file.toString('utf8')
  } catch (error) {
    throw error instanceof UnfitArchive ? unfitPackage(`the file is no chart: ${error.message}`) : error
  }
}

async function parsed(yaml: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await readYamlMap(yaml, { schema: 'core', aliases: 0 })
  } catch (error) {
    throw error instanceof UnreadableYaml ? unfitPackage(`Chart.yaml ${error.message}`) : error
  }
}
