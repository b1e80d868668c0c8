/**
 * The runner, a program of its own that speaks the runners API: what the command line and the built-in runner start. Nothing outside of this
 * folder imports past this file.
 *
 * - `runJobs` asks a server for jobs and runs them until it is stopped; `RunnerRefused` where the server does not know the runner's token.
 * - `startBuiltinRunner` runs it as a child process of the server, `startExecutors` hands jobs to processes of unprivileged users.
 */
export { type Containers, findEngine, localContainers } from './containers/engine.ts'
export { isLoopbackUrl } from './containers/image_names.ts'
export { Coordinator } from './coordinator.ts'
export { type JobUser, parseJobUser, passableFolder, readableFor } from './executors/account.ts'
export { startBuiltinRunner } from './executors/child.ts'
export { variablesOf } from './executors/environment.ts'
export { startExecutors, userOfProtected } from './executors/executors.ts'
export { findNamespaces, inPath, type Namespaces } from './executors/namespaces.ts'
export { whyNamespacesFail } from './executors/trial.ts'
export { runJob } from './job.ts'
export type { Job } from './payload.ts'
export { keptToken, runnerToken } from './registration/registration.ts'
export { installedReleaseTool } from './release/release_tool.ts'
export { RunnerRefused, runJobs } from './runner.ts'
