/** Reserved domain names (RFC 2606, RFC 6761). */
const EXAMPLE = /(^|[@/.])(example\.(com|net|org)|[a-z0-9-]+\.(example|test|invalid))$/

export const isExample = (name: string) => EXAMPLE.test(name)

export const isExampleLink = (url: string) => isExample(url.split('/')[2] ?? '')
