ALTER TABLE "files" ADD COLUMN "preview" text;
