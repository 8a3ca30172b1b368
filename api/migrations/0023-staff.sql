ALTER TABLE "accounts" ADD COLUMN "staff" text;
