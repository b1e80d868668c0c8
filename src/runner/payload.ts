/** The job payload of the server (runner protocol c.2). Any value may be null. */

type Given<T> = T | null | undefined

export interface Variable {
  readonly key: string
  readonly value: string
  readonly public?: boolean
  readonly file?: boolean
  readonly masked?: boolean
  readonly raw?: boolean
}

export interface Step {
  /** `script`, `after_script`, or a further step. */
  readonly name: string
  readonly script: Given<readonly string[]>
  /** In seconds. */
  readonly timeout: Given<number>
  readonly when: Given<'on_success' | 'on_failure' | 'always'>
  readonly allow_failure: Given<boolean>
}

export interface Artifact {
  readonly name: Given<string>
  readonly untracked: Given<boolean>
  readonly paths: Given<readonly string[]>
  readonly exclude: Given<readonly string[]>
  readonly when: Given<'on_success' | 'on_failure' | 'always'>
  readonly artifact_type: Given<string>
  readonly artifact_format: Given<'zip' | 'gzip' | 'raw'>
  readonly expire_in: Given<string>
}

export interface Cache {
  readonly key: Given<string>
  readonly untracked: Given<boolean>
  readonly policy: Given<string>
  readonly paths: Given<readonly string[]>
  readonly when: Given<'on_success' | 'on_failure' | 'always'>
}

export interface Dependency {
  readonly id: number
  readonly name: string
  readonly token: string
  readonly artifacts_file: Given<{ readonly filename: Given<string>; readonly size: Given<number> }>
}

/** `image:` or one of `services:`. */
export interface Container {
  readonly name: string
  /** Names of a service, with spaces or commas between them. */
  readonly alias?: Given<string>
  readonly entrypoint?: Given<readonly string[]>
  readonly command?: Given<readonly string[]>
}

export interface Job {
  readonly id: number
  readonly token: string
  readonly job_info: Given<{
    readonly name: string
    readonly stage: string
    readonly project_id: number
    readonly project_name: string
    /** It is isolated from jobs of unprotected references. Only Ingot sends it. */
    readonly protected?: Given<boolean>
  }>
  readonly git_info: {
    readonly repo_url: string
    readonly sha: string
    readonly refspecs: Given<readonly string[]>
    /** 0: all. */
    readonly depth: Given<number>
  }
  readonly runner_info: Given<{ readonly timeout: Given<number> }>
  readonly variables: Given<readonly Variable[]>
  readonly steps: Given<readonly Step[]>
  /** The container that the CI file asks for, and those beside it. */
  readonly image?: Given<Container>
  readonly services?: Given<readonly Container[]>
  /** Sign-ins at registries: `url` is a domain with its port. */
  readonly credentials?: Given<
    readonly { readonly type: string; readonly url: string; readonly username: string; readonly password: string }[]
  >
  readonly artifacts: Given<readonly Artifact[]>
  readonly cache: Given<readonly Cache[]>
  readonly dependencies: Given<readonly Dependency[]>
  readonly features: Given<{ readonly trace_sections: Given<boolean>; readonly failure_reasons: Given<readonly string[]> }>
}

/** Does `when` apply, given the result of the job? */
export const applies = (when: Given<string>, succeeded: boolean): boolean =>
  when === 'always' || (when === 'on_failure' ? !succeeded : succeeded)
