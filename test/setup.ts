/** Global setup of a test run (`node --test --test-global-setup=test/setup.ts`): one database server for all test processes. */
import { serverVariable, startTestServer, type TestServer } from './database.ts'

let server: TestServer | undefined

export async function globalSetup(): Promise<void> {
  server = await startTestServer()
  // biome-ignore lint/style/noProcessEnv: the way from the test runner to its processes
  process.env[serverVariable] = server.url
}

export async function globalTeardown(): Promise<void> {
  await server?.stop()
}
