/** How much of everything there is. */
export interface Size {
  readonly users: number
  /** They come in trees of ten, one branch of each six levels deep. */
  readonly groups: number
  readonly projects: number
  /** People who are members of a project itself, besides those of its groups. */
  readonly membersOfProjects: number
  /** Over `issueProjects` projects; the first of these has a tenth of them. */
  readonly issues: number
  readonly issueProjects: number
  /** In the same projects. */
  readonly mergeRequests: number
  /** In the history that is cloned and pushed. */
  readonly commits: number
  /** Of people whom an identity provider has brought into one group. */
  readonly identities: number
}

/** How much there is beside the world. */
export interface BenchSize extends Size {
  /** Of the archive that is uploaded and downloaded. */
  readonly archiveBytes: number
  /** In that archive. */
  readonly archiveFiles: number
  /** In the history of the project that browsers look at. */
  readonly pageCommits: number
  /** Of the project with many jobs. */
  readonly jobs: number
  /** Artifacts that expire together. */
  readonly expiring: number
  /** Of the log of one job. */
  readonly traceBytes: number
}

export const sizes = {
  small: {
    users: 500,
    groups: 200,
    projects: 2_000,
    membersOfProjects: 2,
    issues: 20_000,
    issueProjects: 200,
    mergeRequests: 10_000,
    commits: 300,
    identities: 1_000,
    archiveBytes: 100_000_000,
    archiveFiles: 10_000,
    pageCommits: 5_000,
    jobs: 1_000_000,
    expiring: 2_000,
    traceBytes: 100_000_000,
  },
  full: {
    users: 10_000,
    groups: 2_000,
    projects: 50_000,
    membersOfProjects: 4,
    issues: 1_000_000,
    issueProjects: 2_000,
    mergeRequests: 200_000,
    commits: 3_000,
    identities: 100_000,
    archiveBytes: 1_000_000_000,
    archiveFiles: 100_000,
    pageCommits: 50_000,
    jobs: 1_000_000,
    expiring: 10_000,
    traceBytes: 1_000_000_000,
  },
} as const satisfies Record<string, BenchSize>

/** The same world with 1,000 projects: pages of a big instance are held against it. */
export const fewProjects = {
  users: 500,
  groups: 200,
  projects: 1_000,
  membersOfProjects: 4,
  issues: 0,
  issueProjects: 0,
  mergeRequests: 0,
  commits: 0,
  identities: 0,
} as const satisfies Size
