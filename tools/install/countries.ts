/** What follows from the country of a business; anything unknown is asked. The time zone is where most people of the country live. */
type CountryFacts = {
  timezone?: string
  currency?: string
  /** The supervisory authority for data protection: name and host, as the European Data Protection Board lists them. */
  authority?: [name: string, host: string]
}

const COUNTRIES: Record<string, CountryFacts> = {
  AT: {
    timezone: 'Europe/Vienna',
    currency: 'EUR',
    authority: ['Österreichische Datenschutzbehörde', 'dsb.gv.at'],
  },
  AU: {
    currency: 'AUD',
    authority: ['Office of the Australian Information Commissioner', 'www.oaic.gov.au'],
  },
  BE: {
    timezone: 'Europe/Brussels',
    currency: 'EUR',
    authority: ['Data Protection Authority', 'www.dataprotectionauthority.be'],
  },
  BG: {
    timezone: 'Europe/Sofia',
    currency: 'EUR',
    authority: ['Commission for Personal Data Protection', 'cpdp.bg'],
  },
  CA: {
    currency: 'CAD',
    authority: ['Office of the Privacy Commissioner of Canada', 'www.priv.gc.ca'],
  },
  CH: {
    timezone: 'Europe/Zurich',
    currency: 'CHF',
    authority: ['Federal Data Protection and Information Commissioner', 'www.edoeb.admin.ch'],
  },
  CY: {
    timezone: 'Asia/Nicosia',
    currency: 'EUR',
    authority: [
      'Office of the Commissioner for Personal Data Protection',
      'www.dataprotection.gov.cy',
    ],
  },
  CZ: {
    timezone: 'Europe/Prague',
    currency: 'CZK',
    authority: ['Office for Personal Data Protection', 'uoou.gov.cz'],
  },
  // Each state has an authority of its own.
  DE: { timezone: 'Europe/Berlin', currency: 'EUR' },
  DK: {
    timezone: 'Europe/Copenhagen',
    currency: 'DKK',
    authority: ['Datatilsynet', 'www.datatilsynet.dk'],
  },
  EE: {
    timezone: 'Europe/Tallinn',
    currency: 'EUR',
    authority: ['Data Protection Inspectorate', 'www.aki.ee'],
  },
  ES: {
    timezone: 'Europe/Madrid',
    currency: 'EUR',
    authority: ['Agencia Española de Protección de Datos', 'www.aepd.es'],
  },
  FI: {
    timezone: 'Europe/Helsinki',
    currency: 'EUR',
    authority: ['Office of the Data Protection Ombudsman', 'tietosuoja.fi'],
  },
  FR: {
    timezone: 'Europe/Paris',
    currency: 'EUR',
    authority: ['Commission nationale de l’informatique et des libertés', 'www.cnil.fr'],
  },
  GB: {
    timezone: 'Europe/London',
    currency: 'GBP',
    authority: ['Information Commission', 'ico.org.uk'],
  },
  GR: {
    timezone: 'Europe/Athens',
    currency: 'EUR',
    authority: ['Hellenic Data Protection Authority', 'www.dpa.gr'],
  },
  HR: {
    timezone: 'Europe/Zagreb',
    currency: 'EUR',
    authority: ['Personal Data Protection Agency', 'azop.hr'],
  },
  HU: {
    timezone: 'Europe/Budapest',
    currency: 'HUF',
    authority: [
      'Hungarian National Authority for Data Protection and Freedom of Information',
      'www.naih.hu',
    ],
  },
  IE: {
    timezone: 'Europe/Dublin',
    currency: 'EUR',
    authority: ['Data Protection Commission', 'www.dataprotection.ie'],
  },
  IS: {
    timezone: 'Atlantic/Reykjavik',
    currency: 'ISK',
    authority: ['Persónuvernd', 'www.personuvernd.is'],
  },
  IT: {
    timezone: 'Europe/Rome',
    currency: 'EUR',
    authority: ['Garante per la protezione dei dati personali', 'www.garanteprivacy.it'],
  },
  LI: {
    timezone: 'Europe/Vaduz',
    currency: 'CHF',
    authority: ['Datenschutzstelle', 'www.datenschutzstelle.li'],
  },
  LT: {
    timezone: 'Europe/Vilnius',
    currency: 'EUR',
    authority: ['State Data Protection Inspectorate', 'vdai.lrv.lt'],
  },
  LU: {
    timezone: 'Europe/Luxembourg',
    currency: 'EUR',
    authority: ['Commission nationale pour la protection des données', 'cnpd.public.lu'],
  },
  LV: {
    timezone: 'Europe/Riga',
    currency: 'EUR',
    authority: ['Data State Inspectorate', 'www.dvi.gov.lv'],
  },
  MT: {
    timezone: 'Europe/Malta',
    currency: 'EUR',
    authority: ['Office of the Information and Data Protection Commissioner', 'idpc.org.mt'],
  },
  NL: {
    timezone: 'Europe/Amsterdam',
    currency: 'EUR',
    authority: ['Autoriteit Persoonsgegevens', 'autoriteitpersoonsgegevens.nl'],
  },
  NO: {
    timezone: 'Europe/Oslo',
    currency: 'NOK',
    authority: ['Datatilsynet', 'www.datatilsynet.no'],
  },
  NZ: {
    timezone: 'Pacific/Auckland',
    currency: 'NZD',
    authority: ['Office of the Privacy Commissioner', 'www.privacy.org.nz'],
  },
  PL: {
    timezone: 'Europe/Warsaw',
    currency: 'PLN',
    authority: ['Urząd Ochrony Danych Osobowych', 'uodo.gov.pl'],
  },
  PT: {
    timezone: 'Europe/Lisbon',
    currency: 'EUR',
    authority: ['Comissão Nacional de Proteção de Dados', 'www.cnpd.pt'],
  },
  RO: {
    timezone: 'Europe/Bucharest',
    currency: 'RON',
    authority: [
      'National Supervisory Authority for Personal Data Processing',
      'www.dataprotection.ro',
    ],
  },
  SE: {
    timezone: 'Europe/Stockholm',
    currency: 'SEK',
    authority: ['Integritetsskyddsmyndigheten', 'www.imy.se'],
  },
  SI: {
    timezone: 'Europe/Ljubljana',
    currency: 'EUR',
    authority: ['Information Commissioner of the Republic of Slovenia', 'www.ip-rs.si'],
  },
  SK: {
    timezone: 'Europe/Bratislava',
    currency: 'EUR',
    authority: [
      'Office for Personal Data Protection of the Slovak Republic',
      'dataprotection.gov.sk',
    ],
  },
  US: { currency: 'USD' },
}

export const countryFacts = (country: string): CountryFacts => COUNTRIES[country] ?? {}

/** Codes of ISO 3166 that Node has a name for. */
export function isCountry(code: string) {
  if (!/^[A-Z]{2}$/.test(code)) return false
  return new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(code) !== undefined
}

export function isTimeZone(name: string) {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

/** The country of a host such as `it.mine.ie`; empty where its domain is no country's. */
export function countryOfHost(host: string) {
  const last = host.split('.').at(-1)?.toUpperCase() ?? ''
  const country = last === 'UK' ? 'GB' : last
  return country in COUNTRIES ? country : ''
}
