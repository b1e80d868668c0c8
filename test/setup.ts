/**
 * Global setup of a test run (`node --test --test-global-setup=test/setup.ts`), for all test processes: one database server, the built files of the pages, the browser,
 * and what one of them has compiled is there for the others.
 */
import { fileURLToPath } from 'node:url'
import chromium from '@sparticuz/chromium'
import { buildAssets } from '../src/platform/pages/assets/build.ts'
import { folderVariable, serverVariable, startTestServer, type TestServer } from './database.ts'

let server: TestServer | undefined

export async function globalSetup(): Promise<void> {
  await buildAssets()
  // Unpacked here, once: two files that do it at the same time disturb each other (ETXTBSY).
  await chromium.executablePath()
  server = await startTestServer()
  const { env } = process
  env[serverVariable] = server.url
  env[folderVariable] = server.folder
  // The folder that bin/ingot uses too; node:test starts a process for every file, and each would strip and compile everything again.
  env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/ingot', import.meta.url))
}

export async function globalTeardown(): Promise<void> {
  await server?.stop()
}
