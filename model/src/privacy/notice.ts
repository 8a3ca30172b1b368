/** The privacy notice as displayed: the only source of the page, the PDF and the API's JSON. */
export type Notice = {
  version: string
  /** A calendar date: 2025-06-15. */
  lastUpdated: string
  manifestHash: string
  sections: NoticeSection[]
}

export type NoticeSection = { id: NoticeSectionId; title: string; blocks: NoticeBlock[] }

export type NoticeBlock =
  | { kind: 'text'; text: string }
  | { kind: 'list'; items: string[] }
  | { kind: 'table'; caption: string; columns: string[]; rows: string[][] }

/** The twelve sections, in the specification's order; their ids are the anchors of the page. */
export const NOTICE_SECTIONS = {
  introduction: 'Introduction',
  'data-we-collect': 'Data We Collect',
  'how-we-use-data': 'How We Use Data',
  'legal-basis': 'Legal Basis',
  'data-sharing': 'Data Sharing',
  'international-transfers': 'International Transfers',
  'data-security': 'Data Security',
  'data-retention': 'Data Retention',
  'your-rights': 'Your Rights',
  cookies: 'Cookies',
  'changes-to-notice': 'Changes to Notice',
  'contact-us': 'Contact Us',
} as const
export type NoticeSectionId = keyof typeof NOTICE_SECTIONS

export const INQUIRY_SUBJECTS = ['access', 'deletion', 'complaint', 'other'] as const
export type InquirySubject = (typeof INQUIRY_SUBJECTS)[number]
