/** Reserved domain names, which nobody can own (RFC 2606, RFC 6761). */
const EXAMPLE = /(^|[@/.])(example\.(com|net|org)|[a-z0-9-]+\.(example|test|invalid))$/

/** Of a host or an email address. */
export const isExample = (name: string) => EXAMPLE.test(name)

export const isExampleLink = (url: string) => isExample(url.split('/')[2] ?? '')
