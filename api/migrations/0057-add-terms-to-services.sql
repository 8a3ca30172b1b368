ALTER TABLE "services" ADD COLUMN "term_months" integer;

ALTER TABLE "services" ADD COLUMN "notice_days" integer;
