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

/** Bytes of `Chart.yaml`, and of what is kept of it. */
const MOST = 256 * 1024

/** In the folder of the chart: charts that it brings along have theirs deeper. */
const chartFile: WantedFile = {
  compression: 'gzip',
  isWanted: name => /^(\.\/)?[^/]+\/Chart\.yaml$/.test(name),
  size: MOST,
  within: 100 * 1024 * 1024,
}

const NAME = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,200}$/

/** The metadata of the chart in an archive. @throws Refusal 400 for what is no chart */
export async function readChart(archive: Readable): Promise<Chart> {
  const chart = await parsed(await chartYaml(archive))
  if (!isKeepable(chart, MOST)) throw unfitPackage('Chart.yaml cannot be kept')
  const { apiVersion, name, version } = chart
  if (apiVersion !== 'v1' && apiVersion !== 'v2') throw unfitPackage('apiVersion of Chart.yaml is invalid')
  if (typeof name !== 'string' || !NAME.test(name)) throw unfitPackage('Name is invalid')
  if (typeof version !== 'string' || version.length > 50 || !parseVersion(version)) throw unfitPackage('Version is invalid')
  return { ...chart, name, version }
}

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
