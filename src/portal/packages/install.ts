/** What people type to install a package, by its type. Pure. */
import type { PackageType } from '../../delivery/packages/types.ts'

/** What is installed, and where from. */
export interface Installed {
  /** The address of the API of the project: `http://127.0.0.1:8080/api/v4/projects/12`. */
  readonly api: string
  readonly name: string
  readonly version: string | null
  /** One of its files, with its channel, or with its distribution and component. */
  readonly file: { readonly file_name: string; readonly channel: string | null; readonly component: string | null } | undefined
  /** The address of the API of the group that the project is in, if it is in one: `http://127.0.0.1:8080/api/v4/group/7`. */
  readonly group: string | undefined
  /** Installing needs a token. */
  readonly needsToken: boolean
}

/** Lines to copy, and what they are. */
export interface Lines {
  readonly title: string
  readonly text: string
}

function npmLines({ api, name, version, needsToken }: Installed): Lines[] {
  const registry = `${api}/packages/npm/`
  const [scope] = name.startsWith('@') ? name.split('/') : []
  const settings = [
    ...(scope === undefined ? [] : [`${scope}:registry=${registry}`]),
    ...(needsToken ? [`${registry.replace(/^https?:/, '')}:_authToken=<token>`] : []),
  ]
  const from = scope === undefined ? ` --registry ${registry}` : ''
  return [
    ...(settings.length > 0 ? [{ title: '.npmrc', text: settings.join('\n') }] : []),
    { title: 'Command', text: `npm install ${name}@${version}${from}` },
  ]
}

function genericLines({ api, name, version, file, needsToken }: Installed): Lines[] {
  if (file === undefined) return []
  const token = needsToken ? '--header "PRIVATE-TOKEN: <token>" ' : ''
  return [{ title: 'Command', text: `curl ${token}--fail --remote-name "${api}/packages/generic/${name}/${version}/${file.file_name}"` }]
}

function pypiLines({ api, name, version, needsToken }: Installed): Lines[] {
  const index = `${needsToken ? api.replace('://', '://<username>:<token>@') : api}/packages/pypi/simple`
  return [{ title: 'Command', text: `pip install ${name}==${version} --index-url ${index}` }]
}

/** Maven puts dots where a path has slashes, and has the registry and its header in two files. */
function mavenLines({ api, name, version, needsToken }: Installed): Lines[] {
  const slash = name.lastIndexOf('/')
  const coordinates = `<dependency>
  <groupId>${name.slice(0, slash).replaceAll('/', '.')}</groupId>
  <artifactId>${name.slice(slash + 1)}</artifactId>
  <version>${version}</version>
</dependency>`
  const repository = `<repositories>
  <repository>
    <id>ingot</id>
    <url>${api}/packages/maven</url>
  </repository>
</repositories>`
  const server = `<settings>
  <servers>
    <server>
      <id>ingot</id>
      <configuration>
        <httpHeaders>
          <property>
            <name>Private-Token</name>
            <value><token></value>
          </property>
        </httpHeaders>
      </configuration>
    </server>
  </servers>
</settings>`
  return [
    ...(version === null ? [] : [{ title: 'pom.xml: the dependency', text: coordinates }]),
    { title: 'pom.xml: where it is', text: repository },
    ...(needsToken ? [{ title: 'settings.xml', text: server }] : []),
  ]
}

function helmLines({ api, name, version, file, needsToken }: Installed): Lines[] {
  if (!file?.channel) return []
  const repository = `${api}/packages/helm/${file.channel}`
  const credentials = needsToken ? ' --username <username> --password <token>' : ''
  return [
    { title: 'Add the repository', text: `helm repo add ingot ${repository}${credentials}` },
    { title: 'Command', text: `helm install ${name.toLowerCase()} ingot/${name} --version ${version}` },
  ]
}

/** A package of Debian is a source with several binary packages; one of them is installed. */
function debianLines({ api, file, needsToken }: Installed): Lines[] {
  if (!file?.channel || !file.component || !file.file_name.endsWith('.deb')) return []
  const { channel, component } = file
  const [name] = file.file_name.split('_')
  const { origin } = new URL(api)
  const list = `/etc/apt/sources.list.d/${channel}.list`
  const key = `/etc/apt/keyrings/${channel}.asc`
  const token = needsToken ? '--header "PRIVATE-TOKEN: <token>" ' : ''
  return [
    { title: 'Get the key', text: `curl ${token}--fail --output ${key} ${api}/debian_distributions/${channel}/key.asc` },
    { title: 'Add the repository', text: `echo "deb [signed-by=${key}] ${api}/packages/debian ${channel} ${component}" > ${list}` },
    ...(needsToken
      ? [{ title: 'Sign in', text: `echo "machine ${origin} login <username> password <token>" > /etc/apt/auth.conf.d/${channel}.conf` }]
      : []),
    { title: 'Command', text: `apt-get update && apt-get install ${name}` },
  ]
}

function nugetLines({ api, name, version, needsToken }: Installed): Lines[] {
  const credentials = needsToken ? ' --username <username> --password <token> --store-password-in-clear-text' : ''
  return [
    { title: 'Add the source', text: `dotnet nuget add source ${api}/packages/nuget/index.json --name ingot${credentials}` },
    { title: 'Command', text: `dotnet add package ${name} --version ${version} --source ingot` },
  ]
}

/** Bundler keeps credentials for a source, and RubyGems reads them in its address. */
function rubyLines({ api, name, version, needsToken }: Installed): Lines[] {
  const source = `${api}/packages/rubygems/`
  const from = needsToken ? source.replace('://', '://<username>:<token>@') : source
  return [
    { title: 'Command', text: `gem install ${name} --version ${version} --source ${from}` },
    { title: 'Gemfile', text: `source "${source}" do\n  gem "${name}", "${version}"\nend` },
    ...(needsToken ? [{ title: 'Bundler: sign in', text: `bundle config set ${source} <username>:<token>` }] : []),
  ]
}

/** Composer finds packages in a group alone. */
function composerLines({ group, name, version, needsToken }: Installed): Lines[] {
  if (group === undefined) return []
  const repository = JSON.stringify({ type: 'composer', url: `${group}/-/packages/composer/packages.json` })
  return [
    { title: 'Add the repository', text: `composer config repositories.ingot '${repository}'` },
    ...(needsToken ? [{ title: 'Sign in', text: `composer config http-basic.${new URL(group).host} <username> <token>` }] : []),
    { title: 'Command', text: `composer require ${name}:${version}` },
  ]
}

/** The name of a recipe is its whole reference. Credentials that are given once are kept by the client. */
function conanLines({ api, name, needsToken }: Installed): Lines[] {
  return [
    { title: 'Add the remote', text: `conan remote add ingot ${api}/packages/conan` },
    ...(needsToken ? [{ title: 'Sign in', text: 'conan remote login ingot <username> --password <token>' }] : []),
    { title: 'Command', text: `conan install --requires ${name} --remote ingot` },
  ]
}

const byType: { readonly [type in PackageType]?: (installed: Installed) => Lines[] } = {
  npm: npmLines,
  generic: genericLines,
  maven: mavenLines,
  conan: conanLines,
  pypi: pypiLines,
  helm: helmLines,
  debian: debianLines,
  nuget: nugetLines,
  composer: composerLines,
  rubygems: rubyLines,
}

/** The lines for a package; none for types whose program has another way. */
export const installLines = (type: PackageType, installed: Installed): Lines[] => byType[type]?.(installed) ?? []
