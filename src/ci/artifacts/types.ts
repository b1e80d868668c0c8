/** The types of artifacts: the format of each, its file name and its maximum size (public behaviour at 14.0). */

export const formats = ['raw', 'zip', 'gzip'] as const
export type ArtifactFormat = (typeof formats)[number]

interface ArtifactType {
  readonly format: ArtifactFormat
  /** The file name that runners are asked to use; they append `.gz` to files that they pack. */
  readonly filename?: string
  /** Maximum size in megabytes unless the instance overrides it (size_limits.ts); 0 for no limit. */
  readonly megabytes: number
}

/** For archives, which are streamed whatever their size. */
const ARCHIVE_LIMIT = 5 * 1024
const REPORT_LIMIT = 100

const report = (format: ArtifactFormat, filename?: string): ArtifactType => ({
  format,
  ...(filename === undefined ? {} : { filename }),
  megabytes: REPORT_LIMIT,
})

const types = {
  archive: { format: 'zip', megabytes: ARCHIVE_LIMIT },
  metadata: report('gzip'),
  trace: { format: 'raw', megabytes: ARCHIVE_LIMIT },
  junit: report('gzip', 'junit.xml'),
  dotenv: report('gzip', '.env'),
  metrics: report('gzip', 'metrics.txt'),
  metrics_referee: report('gzip'),
  network_referee: report('gzip'),
  cobertura: report('gzip', 'cobertura-coverage.xml'),
  cluster_applications: report('gzip', 'gl-cluster-applications.json'),
  lsif: report('zip', 'lsif.json'),
  accessibility: report('raw', 'gl-accessibility.json'),
  api_fuzzing: report('raw', 'gl-api-fuzzing-report.json'),
  browser_performance: report('raw', 'browser-performance.json'),
  cluster_image_scanning: report('raw', 'gl-cluster-image-scanning-report.json'),
  codequality: report('raw', 'gl-code-quality-report.json'),
  container_scanning: report('raw', 'gl-container-scanning-report.json'),
  coverage_fuzzing: report('raw', 'gl-coverage-fuzzing.json'),
  cyclonedx: report('gzip', 'gl-sbom.cdx.json'),
  dast: report('raw', 'gl-dast-report.json'),
  dependency_scanning: report('raw', 'gl-dependency-scanning-report.json'),
  license_management: report('raw', 'gl-license-management-report.json'),
  license_scanning: report('raw', 'gl-license-scanning-report.json'),
  load_performance: report('raw', 'load-performance.json'),
  performance: report('raw', 'performance.json'),
  requirements: report('raw', 'requirements.json'),
  sast: report('raw', 'gl-sast-report.json'),
  secret_detection: report('raw', 'gl-secret-detection-report.json'),
  terraform: report('raw', 'tfplan.json'),
} as const satisfies Record<string, ArtifactType>

export type ArtifactTypeName = keyof typeof types

/** Every type, `archive` first. */
export const artifactTypes = Object.keys(types) as [ArtifactTypeName, ...ArtifactTypeName[]]

/** The types of files that are neither the archive nor made by the server: what `artifacts: reports` names. */
export const reportTypes = artifactTypes.filter(type => !['archive', 'metadata', 'trace'].includes(type)) as [
  ArtifactTypeName,
  ...ArtifactTypeName[],
]

/** What is fixed of a type. */
export const artifactType = (name: ArtifactTypeName): ArtifactType => types[name]
